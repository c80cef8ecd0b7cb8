# split_arguments WORD...: the words `before` and `after` the first `--`; empty ones after it are left out.
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
