# bash completion of headlight, made from its command line by `headlight completion bash`.

# Completes with these words, which are not names: compgen -W expands what they hold.
_headlight_words() {
  mapfile -t COMPREPLY < <(compgen -W "$1" -- "$current")
}

# Completes with files (f) or folders (d). compgen breaks a name at a newline, and bash leaves $ and `
# as they are in what is no file.
_headlight_files() {
  local name
  compopt -o filenames 2>/dev/null
  while IFS= read -r name; do
    if [[ -e $name || $name != *[\$\`]* ]]; then COMPREPLY+=("$name"); fi
  done < <(compgen "-$1" -- "$current")
}

# Completes with models by name, folders and configs. Names that need quotes get them here, if none
# are open.
_headlight_any_model() {
  local name quoted unescaped=${current//\\?/} special=
  _headlight_files f
  while IFS= read -r -d '' name; do
    printf -v quoted %q "$name"
    if [[ $quoted == "$name" ]]; then
      if [[ $name == "${current#[\'\"]}"* ]]; then COMPREPLY+=("$name"); fi
    elif [[ $unescaped != *[\'\"]* && ($name == "$current"* || $quoted == "$current"*) ]]; then
      COMPREPLY+=("$name")
      special=yes
    fi
  done < <("${COMP_WORDS[0]}" models --names 2>/dev/null)
  if [[ $special ]]; then
    compopt +o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(printf '%q\n' "${COMPREPLY[@]}")
  fi
}

_headlight() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} word is_text=
  COMPREPLY=()
  # bash splits --format=json at the equals sign.
  if [[ $current == = ]]; then
    current=
  elif [[ $previous == = ]]; then
    previous=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  for word in "${COMP_WORDS[@]:1:COMP_CWORD - 1}"; do
    if [[ $word == -- ]]; then is_text=yes; fi
  done
  if ((COMP_CWORD == 1)); then
    _headlight_words "@NAMES@"
    return
  fi
  case ${COMP_WORDS[1]} in
@CASES@  esac
}

complete -F _headlight headlight
