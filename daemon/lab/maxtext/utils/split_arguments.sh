# split_arguments WORD...: sets `before` and `after` to the words around the first `--`; empty ones after it are left out.
split_arguments() {
  before=() after=()
  while (($#)) && [[ $1 != -- ]]; do
    before+=("$1")
    shift
  done
  local word
  for word in "${@:2}"; do
    [[ -z $word || $word == -- ]] || after+=("$word")
  done
}
