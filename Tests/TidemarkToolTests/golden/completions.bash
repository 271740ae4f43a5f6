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
    words='info log show stats state why verify check races import export explain completions man help'
    [[ $cur == -* ]] && words='--help --version'
    COMPREPLY=($(compgen -W "$words" -- "$cur"))
    return
  fi
  case "${COMP_WORDS[1]} $prev" in
    'info --format') COMPREPLY=($(compgen -W 'text json' -- "$cur")); return ;;
    'info -o'|'info --out') return ;;
    'log --from') return ;;
    'log --to') return ;;
    'log --since') return ;;
    'log --until') return ;;
    'log --cause') return ;;
    'log --grep') return ;;
    'log -n'|'log --limit') return ;;
    'log --after') return ;;
    'log --cursor-file') return ;;
    'log --format') COMPREPLY=($(compgen -W 'text json jsonl' -- "$cur")); return ;;
    'log -o'|'log --out') return ;;
    'show --format') COMPREPLY=($(compgen -W 'text json' -- "$cur")); return ;;
    'show -o'|'show --out') return ;;
    'stats --by') COMPREPLY=($(compgen -W 'kind scope writer path hour' -- "$cur")); return ;;
    'stats --max-examples') return ;;
    'stats --from') return ;;
    'stats --to') return ;;
    'stats --since') return ;;
    'stats --until') return ;;
    'stats --cause') return ;;
    'stats --grep') return ;;
    'stats --format') COMPREPLY=($(compgen -W 'text table json' -- "$cur")); return ;;
    'stats -o'|'stats --out') return ;;
    'state --at') return ;;
    'state --only') COMPREPLY=($(compgen -W 'shelf' -- "$cur")); return ;;
    'state --scope') return ;;
    'state --path') return ;;
    'state --format') COMPREPLY=($(compgen -W 'text table json' -- "$cur")); return ;;
    'state -o'|'state --out') return ;;
    'why --at') return ;;
    'why --scope') return ;;
    'why -n'|'why --limit') return ;;
    'why --format') COMPREPLY=($(compgen -W 'text json' -- "$cur")); return ;;
    'why -o'|'why --out') return ;;
    'verify --sample') return ;;
    'verify --max-examples') return ;;
    'verify --format') COMPREPLY=($(compgen -W 'text json jsonl' -- "$cur")); return ;;
    'verify -o'|'verify --out') return ;;
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
    'export --from') return ;;
    'export --to') return ;;
    'export --since') return ;;
    'export --until') return ;;
    'export --cause') return ;;
    'export --grep') return ;;
    'export -n'|'export --limit') return ;;
    'export -o'|'export --out') return ;;
    'explain --format') COMPREPLY=($(compgen -W 'text table json jsonl' -- "$cur")); return ;;
    'explain -o'|'explain --out') return ;;
    'completions -o'|'completions --out') return ;;
    'man -o'|'man --out') return ;;
    *' --color') COMPREPLY=($(compgen -W 'auto always never' -- "$cur")); return ;;
  esac
  case ${COMP_WORDS[1]} in
    info) options='--header --format --out --quiet --color --no-progress --help --version' words='' file=1 ;;
    log) options='--from --to --since --until --cause --grep --limit --reverse --dates --follow --after --cursor-file --format --out --quiet --color --no-progress --help --version' words='kind= scope= path= key= writer=' file=1 ;;
    show) options='--bodies --hex --format --out --quiet --color --no-progress --help --version' words='' file=1 ;;
    stats) options='--by --max-examples --from --to --since --until --cause --grep --format --out --quiet --color --no-progress --help --version' words='kind= scope= path= key= writer=' file=1 ;;
    state) options='--at --only --scope --path --bodies --format --out --quiet --color --no-progress --help --version' words='' file=1 ;;
    why) options='--at --scope --limit --format --out --quiet --color --no-progress --help --version' words='' file=1 ;;
    verify) options='--bodies --sample --max-examples --strict --format --out --quiet --color --no-progress --help --version' words='' file=1 ;;
    check) options='--skip --max-examples --strict --format --out --quiet --color --no-progress --help --version' words='' file=1 ;;
    races) options='--all --exit-code --max-examples --format --out --quiet --color --no-progress --help --version' words='' file=1 ;;
    import) options='--into --yes --dry-run --fence --touches --format --quiet --color --no-progress --help --version' words='har jsonl' ;;
    export) options='--from --to --since --until --cause --grep --bodies --limit --out --quiet --color --no-progress --help --version' words='jsonl kind= scope= path= key= writer=' ;;
    explain) options='--all --format --out --quiet --color --no-progress --help --version' words='J001 J002 J003 J004 J005 J006 J007 J008 J101 J102 J103 J104 J105 J106 J107 J108 J201 J202 J203 J204 J205 J206 J209 J210 J604 J701 J702 J703 J704 F0 F1 F2 F2p F3 F4 F5 F5r F5a F6' ;;
    completions) options='--out --quiet --color --no-progress --help --version' words='bash zsh fish' ;;
    man) options='--out --quiet --color --no-progress --help --version' words='info log show stats state why verify check races import export explain completions man help' ;;
    help) options='--quiet --color --no-progress --help --version' words='info log show stats state why verify check races import export explain completions man help' ;;
  esac
  if [[ $cur == -* ]]; then words=$options
  elif [[ $file ]] && ((COMP_CWORD == 2)); then return
  fi
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
  # A value follows without a space.
  [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null
}
complete -o default -F _tidemark tidemark
