# nightsweep_login: exports what the user's login sets and the job does not have yet. Slurm does this for a job that does not export
# everything, but Slurm 22.05 looks for the end of the login shell only once a second, and refuses the job where it takes too long.
nightsweep_login() {
  local file line name setting shell user
  local -a given=()
  local -A had=([PWD]=1 [OLDPWD]=1 [SHLVL]=1 [_]=1 [IFS]=1 [UID]=1 [EUID]=1 [PPID]=1 [SHELLOPTS]=1 [BASHOPTS]=1)
  # sbatch had it from whoever submitted the job.
  unset LD_LIBRARY_PATH
  for name in $(compgen -e); do had[$name]=1; done
  # The files that PAM reads at a login.
  for file in /etc/environment /etc/default/locale; do
    [[ -r $file ]] || continue
    while IFS= read -r line || [[ -n $line ]]; do
      [[ $line =~ ^[[:space:]]*(export[[:space:]]+)?([A-Za-z_][A-Za-z0-9_]*)=(.*)$ ]] || continue
      name=${BASH_REMATCH[2]} setting=${BASH_REMATCH[3]%"${BASH_REMATCH[3]##*[![:space:]]}"}
      [[ ! $setting =~ ^\"(.*)\"$ && ! $setting =~ ^\'(.*)\'$ ]] || setting=${BASH_REMATCH[1]}
      given+=("$name=$setting")
    done <"$file"
  done
  shell=$(getent passwd "$(id -u)" | cut -d: -f7)
  [[ -x $shell ]] || shell=/bin/bash
  user=${USER:-$(id -un)}
  name=
  # A shell whose name begins with a dash is a login shell, whatever shell it is. Login files may print; the empty name ends that.
  while IFS= read -r -d '' setting; do
    if [[ -z $name ]]; then
      [[ $setting != nightsweep-login ]] || name=nightsweep-login
      continue
    fi
    name=${setting%%=*}
    if [[ $name =~ ^BASH_FUNC_([A-Za-z_][A-Za-z0-9_]*)%%$ ]]; then
      name=${BASH_REMATCH[1]}
      [[ $name == nightsweep_* ]] || { eval "$name ${setting#*=}" && export -f "${name?}"; }
    elif [[ $name =~ ^[A-Za-z_][A-Za-z0-9_]*$ && $name != @(nightsweep|NIGHTSWEEP)_* && -z ${had[$name]:-} ]]; then
      export "$setting"
    fi
  done < <(
    cd || exit
    # shellcheck disable=SC2016
    exec env -i "${given[@]}" HOME="${HOME:-/}" USER="$user" LOGNAME="$user" SHELL="$shell" PATH=/usr/local/bin:/usr/bin:/bin \
      timeout -k 1 20 bash -c 'exec -a "-${0##*/}" "$0" -c "$1"' "$shell" 'printf "\0nightsweep-login\0"; /usr/bin/env -0' </dev/null 2>/dev/null
  )
  [[ -n $name ]] || echo "nightsweep: the login files of $user gave no environment within 20 s; the job goes on without" >&2
}
