# shellcheck shell=bash
# Sourced by the launcher and by setup: finds a JDK (with javac) of at least this release without starting a JVM.

readonly LEAST_JDK=21

# java_release HOME: the feature release of a Java ("21" for JAVA_VERSION="21.0.4"), nothing if HOME is none.
java_release() {
  local line
  [[ -x $1/bin/java && -r $1/release ]] || return 0
  while IFS= read -r line; do
    if [[ $line =~ ^JAVA_VERSION=\"([0-9]+) ]]; then
      printf '%s' "${BASH_REMATCH[1]}"
      return
    fi
  done <"$1/release"
}

# jdk_release HOME: the same for a Java with a compiler.
jdk_release() {
  [[ ! -x $1/bin/javac ]] || java_release "$1"
}

# find_jdk: prints the home of a suitable JDK, or fails. JAVA_HOME and the java on PATH are the user's choice and come first;
# then the newest one installed.
find_jdk() {
  local home release best='' best_release=0 on_path
  on_path=$(type -P javac || true)
  [[ -z $on_path ]] || on_path=$(readlink -f -- "$on_path") on_path=${on_path%/bin/javac}
  for home in "${JAVA_HOME:-}" "$on_path"; do
    release=$(jdk_release "$home")
    if ((${release:-0} >= LEAST_JDK)); then
      printf '%s' "$home"
      return
    fi
  done
  for home in /usr/lib/jvm/* "$HOME"/.sdkman/candidates/java/* /opt/*; do
    release=$(jdk_release "$home")
    if ((${release:-0} >= LEAST_JDK && release > best_release)); then
      best=$home best_release=$release
    fi
  done
  [[ -n $best ]] && printf '%s' "$best"
}

explain_missing_jdk() {
  cat >&2 <<HELP
nightsweep needs a JDK of at least $LEAST_JDK (with javac); none is in JAVA_HOME, on PATH, in /usr/lib/jvm, ~/.sdkman or /opt.
Install one, for instance:
  Debian 13, Ubuntu 24.04 and later   apt-get install openjdk-21-jdk-headless
  Debian 12                           Temurin from https://adoptium.net/installation/linux (package temurin-25-jdk)
  without root                        SDKMAN (https://sdkman.io), then: sdk install java 25-tem
or unpack any JDK archive below /opt.
HELP
}
