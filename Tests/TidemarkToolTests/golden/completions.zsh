#compdef tidemark
# zsh completion for tidemark, made by: tidemark completions zsh
_tidemark() {
  local curcontext=$curcontext state line
  local -a verbs
  typeset -A opt_args
  verbs=(
    'check:judge a journal by the rules of its stores'
    'races:late replies that would have stood over something newer'
    'import:make a journal of an HTTP capture, or of exported entries'
    'explain:cause and remedy of a finding'
    'completions:a completion script for bash, zsh or fish'
    'man:the manual page of the tool or of a verb, in roff'
    'help:this page, or the page of a verb'
  )
  _arguments -C '(- *)'{-h,--help}'[show the first page]' \
    '(- *)--version[show the versions of tool, format and libraries]' \
    '1:verb:->verb' '*::argument:->rest' && return
  case $state in
    verb) _describe -t verbs verb verbs ;;
    rest) case $words[1] in
      check) _arguments -S \
        '*--skip=[do not look for this code]:CODE: ' \
        '--max-examples=[list at most so many findings of a rule; all are counted]:N: ' \
        '--strict[let notes set the exit code]' \
        '--format=[text (default), table, json, jsonl]:NAME:(text table json jsonl)' \
        '(-o --out)'{-o+,--out=}'[write the data to this file]:PATH:_files' \
        '--quiet[say errors only]' \
        '--color=[auto, always or never]:WHEN:(auto always never)' \
        '--no-progress[show no progress on a terminal]' \
        '(-h --help)'{-h,--help}'[show the page of the verb]' \
        '--version[show the versions of tool, format and libraries]' \
        '1:JOURNAL:_files' ;;
      races) _arguments -S \
        '--all[list the harmless ones too]' \
        '--exit-code[end with 5 if a reply was stale, for certain or possibly]' \
        '--max-examples=[list at most so many of each degree; all are counted]:N: ' \
        '--format=[text (default), table, json, jsonl]:NAME:(text table json jsonl)' \
        '(-o --out)'{-o+,--out=}'[write the data to this file]:PATH:_files' \
        '--quiet[say errors only]' \
        '--color=[auto, always or never]:WHEN:(auto always never)' \
        '--no-progress[show no progress on a terminal]' \
        '(-h --help)'{-h,--help}'[show the page of the verb]' \
        '--version[show the versions of tool, format and libraries]' \
        '1:JOURNAL:_files' ;;
      import) _arguments -S \
        '--into=[the journal, made if it is not there]:JOURNAL:_files' \
        '--yes[write to the journal]' \
        '--dry-run[say what would be written, and write nothing]' \
        '--fence=[what a change of a capture touches\: paths (if not given), scope]:WHAT:(paths scope)' \
        '*--touches=[a rule of the app'\''s own\: METHOD PATTERN\: PATH…]:RULE: ' \
        '--format=[text (default), json]:NAME:(text json)' \
        '--quiet[say errors only]' \
        '--color=[auto, always or never]:WHEN:(auto always never)' \
        '--no-progress[show no progress on a terminal]' \
        '(-h --help)'{-h,--help}'[show the page of the verb]' \
        '--version[show the versions of tool, format and libraries]' \
        '1:FORMAT:(har)' \
        '2:FILE:_files' ;;
      explain) _arguments -S \
        '--all[explain every code]' \
        '--format=[text (default), table, json, jsonl]:NAME:(text table json jsonl)' \
        '(-o --out)'{-o+,--out=}'[write the data to this file]:PATH:_files' \
        '--quiet[say errors only]' \
        '--color=[auto, always or never]:WHEN:(auto always never)' \
        '--no-progress[show no progress on a terminal]' \
        '(-h --help)'{-h,--help}'[show the page of the verb]' \
        '--version[show the versions of tool, format and libraries]' \
        '*:CODE:(J001 J002 J003 J004 J005 J006 J007 J008 J101 J102 J103 J104 J105 J106 J107 J108 J201 J202 J203 J204 J205 J206 J209 J210 J604 J701 J702 J703 J704)' ;;
      completions) _arguments -S \
        '(-o --out)'{-o+,--out=}'[write the data to this file]:PATH:_files' \
        '--quiet[say errors only]' \
        '--color=[auto, always or never]:WHEN:(auto always never)' \
        '--no-progress[show no progress on a terminal]' \
        '(-h --help)'{-h,--help}'[show the page of the verb]' \
        '--version[show the versions of tool, format and libraries]' \
        '1:SHELL:(bash zsh fish)' ;;
      man) _arguments -S \
        '(-o --out)'{-o+,--out=}'[write the data to this file]:PATH:_files' \
        '--quiet[say errors only]' \
        '--color=[auto, always or never]:WHEN:(auto always never)' \
        '--no-progress[show no progress on a terminal]' \
        '(-h --help)'{-h,--help}'[show the page of the verb]' \
        '--version[show the versions of tool, format and libraries]' \
        '1:VERB:(check races import explain completions man help)' ;;
      help) _arguments -S \
        '--quiet[say errors only]' \
        '--color=[auto, always or never]:WHEN:(auto always never)' \
        '--no-progress[show no progress on a terminal]' \
        '(-h --help)'{-h,--help}'[show the page of the verb]' \
        '--version[show the versions of tool, format and libraries]' \
        '1:VERB:(check races import explain completions man help)' ;;
    esac ;;
  esac
}
if [ "$funcstack[1]" = _tidemark ]; then _tidemark "$@"
else compdef _tidemark tidemark
fi
