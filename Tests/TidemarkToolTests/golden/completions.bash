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
    words='info log show stats state why verify check races rebuild simulate import export explain completions man help'
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
    'state --only') COMPREPLY=($(compgen -W 'shelf outbox pins inbox' -- "$cur")); return ;;
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
    'rebuild --format') COMPREPLY=($(compgen -W 'text table json' -- "$cur")); return ;;
    'simulate --case') return ;;
    'simulate --format') COMPREPLY=($(compgen -W 'text json jsonl' -- "$cur")); return ;;
    'simulate -o'|'simulate --out') return ;;
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
    log) options='--from --to --since --until --cause --grep --limit --reverse --dates --follow --after --cursor-file --format --out --quiet --color --no-progress --help --version' words='kind= scope= path= key= ticket= writer=' file=1 ;;
    show) options='--bodies --hex --format --out --quiet --color --no-progress --help --version' words='' file=1 ;;
    stats) options='--by --max-examples --from --to --since --until --cause --grep --format --out --quiet --color --no-progress --help --version' words='kind= scope= path= key= ticket= writer=' file=1 ;;
    state) options='--at --only --scope --path --bodies --format --out --quiet --color --no-progress --help --version' words='' file=1 ;;
    why) options='--at --scope --limit --format --out --quiet --color --no-progress --help --version' words='' file=1 ;;
    verify) options='--bodies --sample --max-examples --strict --format --out --quiet --color --no-progress --help --version' words='' file=1 ;;
    check) options='--skip --max-examples --strict --replay --format --out --quiet --color --no-progress --help --version' words='' file=1 ;;
    races) options='--all --exit-code --max-examples --format --out --quiet --color --no-progress --help --version' words='' file=1 ;;
    rebuild) options='--swap --yes --dry-run --format --quiet --color --no-progress --help --version' words='' file=1 ;;
    simulate) options='--case --format --out --quiet --color --no-progress --help --version' words='' file=1 ;;
    import) options='--into --yes --dry-run --fence --touches --format --quiet --color --no-progress --help --version' words='har jsonl' ;;
    export) options='--from --to --since --until --cause --grep --bodies --limit --out --quiet --color --no-progress --help --version' words='jsonl kind= scope= path= key= ticket= writer=' ;;
    explain) options='--all --format --out --quiet --color --no-progress --help --version' words='J001 no-such-journal J002 not-a-journal J003 newer-format J004 busy J005 container-damaged J006 storage-refused J007 tail-lost J008 other-anchor J101 torn-tail J102 block-damaged J103 seq-gap J104 entry-malformed J105 root-differs J106 body-differs J107 key-repeated J108 pointer-wrong J201 late-landing J202 superseded-landing J203 retired-landing J204 revision-fell J205 ticket-unbalanced J206 witness-wrong J207 list-incomplete J208 copying-wrote J209 late-answer J210 answer-split J301 retired-unanswered J302 retired-before-copies J303 sent-out-of-turn J305 outbox-unbalanced J306 request-changed J307 guessed-settlement J308 acknowledgement-undone J309 sent-elsewhere J401 pins-overreached J402 repin-removed J404 pins-overlapped J405 pins-partial J406 removed-unshown J407 synced-unreadable J408 other-version J601 projection-differs J604 kind-unknown J701 key-conflict J702 input-malformed J703 bundle-incomplete J704 stream-diverged F0 F1 F2 F2p F3 F4 F5 F5r F5a F6 F7 F9 F10 F11 F12 F13 F14 F15 F16 F17 F18 F19 F20 F21 journal entry entries seq key kind scope scopes store incarnation opened time writer term cause path mention begin write cursor read reads reading ticket generation bump fence landing landed refused refusal tried witness superseded retired older malformed incomplete cancelled failed open change mutation sent touch touches answered answer suppressed suspect rejected lost late copy fixed revision status outbox waiting request lane attempt attempts authored about pending inFlight inDoubt held parked discarded pin pins share items received version position derived digest live differs outdated stale certain possible possibly harmless unrelated finding findings code exit rule instances vacuous projection shelf standing leaf tree root head anchor acknowledged equal behind ahead missing foreign diverged aside block body bodies commitment bytes size closed library fields now gave by before saved because over evidence stood look shown kept same name hour word meaning store-opened store-retired scope-switched store-unreadable store-restored read-began read-landed read-refused page-received list-assembled mutation-sent mutation-answered mutation-suppressed mutation-failed generation-bumped copy-stored copy-removed outbox-enqueued outbox-sent outbox-answered outbox-in-doubt outbox-copied outbox-retired outbox-parked outbox-retried outbox-discarded pins-removed pins-sent pins-received pins-listed pins-refused sync-began sync-ended share-received share-imported share-unreadable share-discarded imported key-conflicted checkpointed identity-renewed' ;;
    completions) options='--out --quiet --color --no-progress --help --version' words='bash zsh fish' ;;
    man) options='--out --quiet --color --no-progress --help --version' words='info log show stats state why verify check races rebuild simulate import export explain completions man help' ;;
    help) options='--quiet --color --no-progress --help --version' words='info log show stats state why verify check races rebuild simulate import export explain completions man help' ;;
  esac
  if [[ $cur == -* ]]; then words=$options
  elif [[ $file ]] && ((COMP_CWORD == 2)); then return
  fi
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
  # A value follows without a space.
  [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null
}
complete -o default -F _tidemark tidemark
