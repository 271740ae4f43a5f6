#compdef tidemark
# zsh completion for tidemark, made by: tidemark completions zsh
_tidemark() {
  local curcontext=$curcontext state line
  local -a verbs
  typeset -A opt_args
  verbs=(
    'info:what this file is, and how it stands'
    'log:entries in order\: listed, filtered, followed'
    'show:one entry whole\: fields, leaf, block, what rests on what'
    'stats:counts, refusals by reason, open tickets, time to reply'
    'state:what stood on the device at any entry or time'
    'why:what gave this value, and what tried and was refused'
    'verify:prove that the bytes are the ones that were written'
    'check:judge a journal by the rules of its stores'
    'races:late replies that would have stood over something newer'
    'rebuild:make the projections anew, compare with the live ones, swap'
    'simulate:run scenarios on the real stores and compare how they end'
    'import:make a journal of an HTTP capture, or of exported entries'
    'export:entries in a form that other tools read'
    'explain:what a finding, a rule or a word of a report means'
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
      info) _arguments -S \
        '--header[leave out the sizes]' \
        '--format=[text (default), json]:NAME:(text json)' \
        '(-o --out)'{-o+,--out=}'[write the data to this file, which may be new, empty or an export]:PATH:_files' \
        '--quiet[say errors only]' \
        '--color=[auto, always or never]:WHEN:(auto always never)' \
        '--no-progress[show no progress on a terminal]' \
        '(-h --help)'{-h,--help}'[show the page of the verb]' \
        '--version[show the versions of tool, format and libraries]' \
        '1:JOURNAL:_files' ;;
      log) _arguments -S \
        '--from=[from this entry on]:SEQ: ' \
        '--to=[up to this entry]:SEQ: ' \
        '--since=[from this device time on\: RFC 3339, a date, -2h, today]:TIME: ' \
        '--until=[up to this device time]:TIME: ' \
        '--cause=[only what follows from this entry]:SEQ: ' \
        '--grep=[only entries that hold this text, content aside]:TEXT: ' \
        '(-n --limit)'{-n+,--limit=}'[at most so many]:N: ' \
        '--reverse[the last entry first]' \
        '--dates[a date in every line, not only where the day changes]' \
        '(-f --follow)'{-f,--follow}'[then wait for more]' \
        '--after=[only what stands behind this place]:CURSOR: ' \
        '--cursor-file=[go on behind the place in this file, and keep it]:PATH:_files' \
        '--format=[text (default), json, jsonl]:NAME:(text json jsonl)' \
        '(-o --out)'{-o+,--out=}'[write the data to this file, which may be new, empty or an export]:PATH:_files' \
        '--quiet[say errors only]' \
        '--color=[auto, always or never]:WHEN:(auto always never)' \
        '--no-progress[show no progress on a terminal]' \
        '(-h --help)'{-h,--help}'[show the page of the verb]' \
        '--version[show the versions of tool, format and libraries]' \
        '1:JOURNAL:_files' \
        '*:FIELD=VALUE:{compadd -S "" kind= scope= path= key= ticket= writer=}' ;;
      show) _arguments -S \
        '--bodies[show contents]' \
        '--hex[show the bytes of the entry]' \
        '--format=[text (default), json]:NAME:(text json)' \
        '(-o --out)'{-o+,--out=}'[write the data to this file, which may be new, empty or an export]:PATH:_files' \
        '--quiet[say errors only]' \
        '--color=[auto, always or never]:WHEN:(auto always never)' \
        '--no-progress[show no progress on a terminal]' \
        '(-h --help)'{-h,--help}'[show the page of the verb]' \
        '--version[show the versions of tool, format and libraries]' \
        '1:JOURNAL:_files' \
        '2:SEQ|KEY: ' ;;
      stats) _arguments -S \
        '--by=[count by kind (if not given), scope, writer, path or hour]:WHAT:(kind scope writer path hour)' \
        '--max-examples=[list at most so many groups and open tickets (20)]:N: ' \
        '--from=[from this entry on]:SEQ: ' \
        '--to=[up to this entry]:SEQ: ' \
        '--since=[from this device time on\: RFC 3339, a date, -2h, today]:TIME: ' \
        '--until=[up to this device time]:TIME: ' \
        '--cause=[only what follows from this entry]:SEQ: ' \
        '--grep=[only entries that hold this text, content aside]:TEXT: ' \
        '--format=[text (default), table, json]:NAME:(text table json)' \
        '(-o --out)'{-o+,--out=}'[write the data to this file, which may be new, empty or an export]:PATH:_files' \
        '--quiet[say errors only]' \
        '--color=[auto, always or never]:WHEN:(auto always never)' \
        '--no-progress[show no progress on a terminal]' \
        '(-h --help)'{-h,--help}'[show the page of the verb]' \
        '--version[show the versions of tool, format and libraries]' \
        '1:JOURNAL:_files' \
        '*:FIELD=VALUE:{compadd -S "" kind= scope= path= key= ticket= writer=}' ;;
      state) _arguments -S \
        '--at=[as it was behind this entry; the last one if not given]:SEQ|TIME|CURSOR: ' \
        '--only=[only this store\: shelf (if not given), outbox, pins, inbox]:STORE:(shelf outbox pins inbox)' \
        '--scope=[only this scope]:ADDRESS: ' \
        '--path=[only this path]:PATH: ' \
        '--bodies[show contents]' \
        '--format=[text (default), table, json]:NAME:(text table json)' \
        '(-o --out)'{-o+,--out=}'[write the data to this file, which may be new, empty or an export]:PATH:_files' \
        '--quiet[say errors only]' \
        '--color=[auto, always or never]:WHEN:(auto always never)' \
        '--no-progress[show no progress on a terminal]' \
        '(-h --help)'{-h,--help}'[show the page of the verb]' \
        '--version[show the versions of tool, format and libraries]' \
        '1:JOURNAL:_files' ;;
      why) _arguments -S \
        '--at=[as it was behind this entry; the last one if not given]:SEQ|TIME|CURSOR: ' \
        '--scope=[only this scope]:ADDRESS: ' \
        '(-n --limit)'{-n+,--limit=}'[at most so many]:N: ' \
        '--format=[text (default), json]:NAME:(text json)' \
        '(-o --out)'{-o+,--out=}'[write the data to this file, which may be new, empty or an export]:PATH:_files' \
        '--quiet[say errors only]' \
        '--color=[auto, always or never]:WHEN:(auto always never)' \
        '--no-progress[show no progress on a terminal]' \
        '(-h --help)'{-h,--help}'[show the page of the verb]' \
        '--version[show the versions of tool, format and libraries]' \
        '1:JOURNAL:_files' \
        '2:PATH|KEY: ' ;;
      verify) _arguments -S \
        '--bodies[compare every content with its commitment]' \
        '--sample=[examine part N of T]:N/T: ' \
        '--max-examples=[list at most so many findings of a rule; all are counted]:N: ' \
        '--strict[let notes set the exit code]' \
        '--format=[text (default), json, jsonl]:NAME:(text json jsonl)' \
        '(-o --out)'{-o+,--out=}'[write the data to this file, which may be new, empty or an export]:PATH:_files' \
        '--quiet[say errors only]' \
        '--color=[auto, always or never]:WHEN:(auto always never)' \
        '--no-progress[show no progress on a terminal]' \
        '(-h --help)'{-h,--help}'[show the page of the verb]' \
        '--version[show the versions of tool, format and libraries]' \
        '1:JOURNAL:_files' ;;
      check) _arguments -S \
        '*--skip=[do not look for this code]:CODE: ' \
        '--max-examples=[list at most so many findings of a rule; all are counted]:N: ' \
        '--strict[let notes set the exit code]' \
        '--replay[compare the digests of checkpoints with what replay gives]' \
        '--format=[text (default), table, json, jsonl]:NAME:(text table json jsonl)' \
        '(-o --out)'{-o+,--out=}'[write the data to this file, which may be new, empty or an export]:PATH:_files' \
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
        '(-o --out)'{-o+,--out=}'[write the data to this file, which may be new, empty or an export]:PATH:_files' \
        '--quiet[say errors only]' \
        '--color=[auto, always or never]:WHEN:(auto always never)' \
        '--no-progress[show no progress on a terminal]' \
        '(-h --help)'{-h,--help}'[show the page of the verb]' \
        '--version[show the versions of tool, format and libraries]' \
        '1:JOURNAL:_files' ;;
      rebuild) _arguments -S \
        '--swap[put the new file in the place of the live one]' \
        '--yes[do so]' \
        '--dry-run[compare in memory, and write no file]' \
        '--format=[text (default), table, json]:NAME:(text table json)' \
        '--quiet[say errors only]' \
        '--color=[auto, always or never]:WHEN:(auto always never)' \
        '--no-progress[show no progress on a terminal]' \
        '(-h --help)'{-h,--help}'[show the page of the verb]' \
        '--version[show the versions of tool, format and libraries]' \
        '1:JOURNAL:_files' ;;
      simulate) _arguments -S \
        '*--case=[this scenario alone]:ID: ' \
        '--format=[text (default), json, jsonl]:NAME:(text json jsonl)' \
        '(-o --out)'{-o+,--out=}'[write the data to this file, which may be new, empty or an export]:PATH:_files' \
        '--quiet[say errors only]' \
        '--color=[auto, always or never]:WHEN:(auto always never)' \
        '--no-progress[show no progress on a terminal]' \
        '(-h --help)'{-h,--help}'[show the page of the verb]' \
        '--version[show the versions of tool, format and libraries]' \
        '1:FILE:_files' ;;
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
        '1:FORMAT:(har jsonl)' \
        '2:FILE:_files' ;;
      export) _arguments -S \
        '--from=[from this entry on]:SEQ: ' \
        '--to=[up to this entry]:SEQ: ' \
        '--since=[from this device time on\: RFC 3339, a date, -2h, today]:TIME: ' \
        '--until=[up to this device time]:TIME: ' \
        '--cause=[only what follows from this entry]:SEQ: ' \
        '--grep=[only entries that hold this text, content aside]:TEXT: ' \
        '--bodies[contents as well]' \
        '(-n --limit)'{-n+,--limit=}'[at most so many]:N: ' \
        '(-o --out)'{-o+,--out=}'[write the data to this file, which may be new, empty or an export]:PATH:_files' \
        '--quiet[say errors only]' \
        '--color=[auto, always or never]:WHEN:(auto always never)' \
        '--no-progress[show no progress on a terminal]' \
        '(-h --help)'{-h,--help}'[show the page of the verb]' \
        '--version[show the versions of tool, format and libraries]' \
        '1:FORMAT:(jsonl)' \
        '2:JOURNAL:_files' \
        '*:FIELD=VALUE:{compadd -S "" kind= scope= path= key= ticket= writer=}' ;;
      explain) _arguments -S \
        '--all[explain every code, rule and word]' \
        '--format=[text (default), table, json, jsonl]:NAME:(text table json jsonl)' \
        '(-o --out)'{-o+,--out=}'[write the data to this file, which may be new, empty or an export]:PATH:_files' \
        '--quiet[say errors only]' \
        '--color=[auto, always or never]:WHEN:(auto always never)' \
        '--no-progress[show no progress on a terminal]' \
        '(-h --help)'{-h,--help}'[show the page of the verb]' \
        '--version[show the versions of tool, format and libraries]' \
        '*:CODE|RULE|WORD:(J001 no-such-journal J002 not-a-journal J003 newer-format J004 busy J005 container-damaged J006 storage-refused J007 tail-lost J008 other-anchor J101 torn-tail J102 block-damaged J103 seq-gap J104 entry-malformed J105 root-differs J106 body-differs J107 key-repeated J108 pointer-wrong J201 late-landing J202 superseded-landing J203 retired-landing J204 revision-fell J205 ticket-unbalanced J206 witness-wrong J207 list-incomplete J208 copying-wrote J209 late-answer J210 answer-split J301 retired-unanswered J302 retired-before-copies J303 sent-out-of-turn J305 outbox-unbalanced J306 request-changed J307 guessed-settlement J308 acknowledgement-undone J309 sent-elsewhere J401 pins-overreached J402 repin-removed J404 pins-overlapped J405 pins-partial J406 removed-unshown J407 synced-unreadable J408 other-version J601 projection-differs J604 kind-unknown J701 key-conflict J702 input-malformed J703 bundle-incomplete J704 stream-diverged F0 F1 F2 F2p F3 F4 F5 F5r F5a F6 F7 F9 F10 F11 F12 F13 F14 F15 F16 F17 F18 F19 F20 F21 journal entry entries seq key kind scope scopes store incarnation opened time writer term cause path mention begin write cursor read reads reading ticket generation bump fence landing landed refused refusal tried witness superseded retired older malformed incomplete cancelled failed open change mutation sent touch touches answered answer suppressed suspect rejected lost late copy fixed revision status outbox waiting request lane attempt attempts authored about pending inFlight inDoubt held parked discarded pin pins share items received version position derived digest live differs outdated stale certain possible possibly harmless unrelated finding findings code exit rule instances vacuous projection shelf standing leaf tree root head anchor acknowledged equal behind ahead missing foreign diverged aside block body bodies commitment bytes size closed library fields now gave by before saved because over evidence stood look shown kept same name hour word meaning store-opened store-retired scope-switched store-unreadable store-restored read-began read-landed read-refused page-received list-assembled mutation-sent mutation-answered mutation-suppressed mutation-failed generation-bumped copy-stored copy-removed outbox-enqueued outbox-sent outbox-answered outbox-in-doubt outbox-copied outbox-retired outbox-parked outbox-retried outbox-discarded pins-removed pins-sent pins-received pins-listed pins-refused sync-began sync-ended share-received share-imported share-unreadable share-discarded imported key-conflicted checkpointed identity-renewed)' ;;
      completions) _arguments -S \
        '(-o --out)'{-o+,--out=}'[write the data to this file, which may be new, empty or an export]:PATH:_files' \
        '--quiet[say errors only]' \
        '--color=[auto, always or never]:WHEN:(auto always never)' \
        '--no-progress[show no progress on a terminal]' \
        '(-h --help)'{-h,--help}'[show the page of the verb]' \
        '--version[show the versions of tool, format and libraries]' \
        '1:SHELL:(bash zsh fish)' ;;
      man) _arguments -S \
        '(-o --out)'{-o+,--out=}'[write the data to this file, which may be new, empty or an export]:PATH:_files' \
        '--quiet[say errors only]' \
        '--color=[auto, always or never]:WHEN:(auto always never)' \
        '--no-progress[show no progress on a terminal]' \
        '(-h --help)'{-h,--help}'[show the page of the verb]' \
        '--version[show the versions of tool, format and libraries]' \
        '1:VERB:(info log show stats state why verify check races rebuild simulate import export explain completions man help)' ;;
      help) _arguments -S \
        '--quiet[say errors only]' \
        '--color=[auto, always or never]:WHEN:(auto always never)' \
        '--no-progress[show no progress on a terminal]' \
        '(-h --help)'{-h,--help}'[show the page of the verb]' \
        '--version[show the versions of tool, format and libraries]' \
        '1:VERB:(info log show stats state why verify check races rebuild simulate import export explain completions man help)' ;;
    esac ;;
  esac
}
if [ "$funcstack[1]" = _tidemark ]; then _tidemark "$@"
else compdef _tidemark tidemark
fi
