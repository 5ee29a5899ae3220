#compdef headlight
# zsh completion of headlight, made from its command line by `headlight completion zsh`.

# Models by name, folders and configs.
_headlight_any_model() {
  local -a names
  names=(${(0)"$(${(Q)program} models --names 2>/dev/null)"})
  _alternative 'models:model:compadd -a names' 'files:file:_files'
}

_headlight() {
  local program=$words[1] state line ret=1
  local -a commands
  typeset -A opt_args
  commands=(
@COMMANDS@  )
  _arguments -C@OPTIONS@ \
    '1: :->command' \
    '*:: :->arguments' && ret=0
  case $state in
    command) _describe command commands && ret=0 ;;
    arguments)
      case $words[1] in
@CASES@      esac
      ;;
  esac
  return ret
}

if [[ $funcstack[1] == _headlight ]]; then
  _headlight "$@"
else
  compdef _headlight headlight
fi
