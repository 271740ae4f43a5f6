# bash completion for tidemark, made by: tidemark completions bash
_tidemark() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}
  local options= words= file=
  COMPREPLY=()
  # Bash takes --name=value for three words.
  if [[ $cur == = ]]; then cur=
  elif [[ $prev == = ]]; then prev=${COMP_WORDS[COMP_CWORD-2]}
  fi
  if ((COMP_CWORD == 1)); then
    words='check races import explain completions man help'
    [[ $cur == -* ]] && words='--help --version'
    COMPREPLY=($(compgen -W "$words" -- "$cur"))
    return
  fi
  case "${COMP_WORDS[1]} $prev" in
    'check --skip') return ;;
    'check --max-examples') return ;;
    'check --format') COMPREPLY=($(compgen -W 'text table json jsonl' -- "$cur")); return ;;
    'check -o'|'check --out') return ;;
    'races --max-examples') return ;;
    'races --format') COMPREPLY=($(compgen -W 'text table json jsonl' -- "$cur")); return ;;
    'races -o'|'races --out') return ;;
    'import --into') return ;;
    'import --fence') COMPREPLY=($(compgen -W 'paths scope' -- "$cur")); return ;;
    'import --touches') return ;;
    'import --format') COMPREPLY=($(compgen -W 'text json' -- "$cur")); return ;;
    'explain --format') COMPREPLY=($(compgen -W 'text table json jsonl' -- "$cur")); return ;;
    'explain -o'|'explain --out') return ;;
    'completions -o'|'completions --out') return ;;
    'man -o'|'man --out') return ;;
    *' --color') COMPREPLY=($(compgen -W 'auto always never' -- "$cur")); return ;;
  esac
  case ${COMP_WORDS[1]} in
    check) options='--skip --max-examples --strict --format --out --quiet --color --no-progress --help --version' words='' file=1 ;;
    races) options='--all --exit-code --max-examples --format --out --quiet --color --no-progress --help --version' words='' file=1 ;;
    import) options='--into --yes --dry-run --fence --touches --format --quiet --color --no-progress --help --version' words='har' ;;
    explain) options='--all --format --out --quiet --color --no-progress --help --version' words='J001 J002 J003 J004 J005 J006 J007 J008 J101 J102 J103 J104 J105 J106 J107 J108 J201 J202 J203 J204 J205 J206 J209 J210 J604 J701 J702 J703 J704' ;;
    completions) options='--out --quiet --color --no-progress --help --version' words='bash zsh fish' ;;
    man) options='--out --quiet --color --no-progress --help --version' words='check races import explain completions man help' ;;
    help) options='--quiet --color --no-progress --help --version' words='check races import explain completions man help' ;;
  esac
  if [[ $cur == -* ]]; then words=$options
  elif [[ $file ]] && ((COMP_CWORD == 2)); then return
  fi
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
  # A value follows without a space.
  [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null
}
complete -o default -F _tidemark tidemark
