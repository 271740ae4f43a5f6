"""The truth about a capture, from the server's own account.

The capture says when a request began and when its answer landed; the account says at what moment
the server computed an answer or applied a change, and whether that change altered that answer. A
pair is a read that began before a change was answered and landed after it:

- `stale`: computed before the change was applied, altered by it, and still old when it was sent.
- `harmless`: every other pair; `because` says why.

A crossing is a read that landed after a later begun read of the same address. Images, scripts,
styles and fonts are left out.
"""

import json
from datetime import datetime, timedelta
from urllib.parse import urlsplit


def moment(text):
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def request_id(entry):
    for header in entry["response"]["headers"]:
        if header["name"].lower() == "x-request-id":
            return header["value"]
    return None


def relation(change, read):
    """Where the read's path stands, seen from the path of the change."""
    change, read = (urlsplit(path).path.strip("/").split("/") for path in (change, read))
    if change == read:
        return "same"
    if change[: len(read)] == read:
        return "above"
    if read[: len(change)] == change:
        return "below"
    return "elsewhere"


class Exchange:
    """One request: its entry in the capture and its line in the account."""

    def __init__(self, index, entry, line):
        self.index, self.entry, self.line = index, entry, line
        self.began = moment(entry["startedDateTime"])
        self.landed = self.began + timedelta(milliseconds=max(entry["time"], 0))

    @property
    def name(self):
        operation = self.line.get("operation")
        target = f"{self.line['method']} {self.line['target']}"
        return f"{target} {operation}" if operation else target

    def told(self):
        line = self.line
        facts = {
            "entry": self.index,
            "id": line["id"],
            "method": line["method"],
            "url": self.entry["request"]["url"],
            "status": line["status"],
            "began": stamp(self.began),
            "landed": stamp(self.landed),
        }
        for key in ("operation", "computed", "applied", "sent", "revision"):
            if key in line:
                facts[key] = line[key]
        return facts


def stamp(time):
    return time.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def exchanges(account, har):
    lines = {line["id"]: line for line in account}
    found = []
    for index, entry in enumerate(har["log"]["entries"]):
        line = lines.get(request_id(entry))
        if line is not None and (line["status"] < 300 or line["status"] == 304):
            found.append(Exchange(index, entry, line))
    return found


def pairs(account, har):
    known = exchanges(account, har)
    reads = [one for one in known if one.line["kind"] == "read"]
    changes = [one for one in known if one.line["kind"] in ("change", "beacon")]
    found = [
        judge(read, change)
        for change in changes
        for read in reads
        if read.line["host"] == change.line["host"] and read.began < change.landed < read.landed
    ]
    return sorted(found, key=lambda pair: (pair["read"]["entry"], pair["change"]["entry"]))


def judge(read, change):
    stale, because = False, None
    if change.line["kind"] == "beacon":
        because = "a measurement changes nothing"
    elif not change.line["changed"]:
        because = "the change changed nothing"
    elif read.line["computed"] > change.line["applied"]:
        because = "the read was computed after the change"
    elif change.line["id"] not in read.line["alteredBy"]:
        because = "the change does not alter this answer"
    elif not read.line["oldWhenSent"]:
        because = "the answer was right again when it was sent"
    else:
        stale = True
    pair = {
        "judgement": "stale" if stale else "harmless",
        "relation": relation(change.line["target"], read.line["target"]),
        "read": read.told(),
        "change": change.told(),
        "names": [read.name, change.name],
    }
    if because:
        pair["because"] = because
    return pair


def crossings(account, har):
    reads = [one for one in exchanges(account, har) if one.line["kind"] == "read"]
    found = []
    for older in reads:
        for newer in reads:
            same = (older.line["host"], older.name) == (newer.line["host"], newer.name)
            if same and older.began < newer.began and newer.landed < older.landed:
                found.append(
                    {
                        "differs": older.line["digest"] != newer.line["digest"],
                        "older": older.told(),
                        "newer": newer.told(),
                        "names": [older.name, newer.name],
                    }
                )
    return found


def truth(capture, producer, account, har, steps):
    """The whole expected file."""
    found = pairs(account, har)
    entries = {request_id(entry): index for index, entry in enumerate(har["log"]["entries"])}
    told = []
    for step in steps:
        ids = [line["id"] for line in account[step["from"] - 1 : step["to"]]]
        inside = [entries[name] for name in ids if name in entries]
        one = {"title": step["title"], "entries": [min(inside), max(inside)] if inside else []}
        if "note" in step:
            one["note"] = step["note"]
        told.append({**one, "shown": step["shown"]})
    return {
        "capture": capture,
        "producer": producer,
        "counts": {
            "entries": len(har["log"]["entries"]),
            "stale": sum(pair["judgement"] == "stale" for pair in found),
            "harmless": sum(pair["judgement"] == "harmless" for pair in found),
            "crossings": len(crossings(account, har)),
        },
        "pairs": found,
        "crossings": crossings(account, har),
        "steps": told,
    }


def surprises(expected, steps):
    """What was staged and is not there, and what is there and was not staged."""
    wanted = sorted(race for step in steps for race in step["races"])
    real = [pair for pair in expected["pairs"] if not pair["names"][1].startswith("POST /beacon")]
    there = [[pair["judgement"], *pair["names"]] for pair in real]
    there += [["superseded", *crossing["names"]] for crossing in expected["crossings"]]
    there.sort()
    missing = [race for race in wanted if race not in there]
    extra = [race for race in there if race not in wanted]
    counted = [] if missing or extra or len(wanted) == len(there) else [["counts differ"]]
    odd = [f"missing: {race}" for race in missing]
    return odd + [f"not staged: {race}" for race in extra + counted]


def page(expected):
    """The expected file for people."""
    counts = expected["counts"]
    lines = [
        f"{expected['capture']}, written by {expected['producer']}",
        f"{counts['entries']} entries; {counts['stale']} stale for certain, "
        f"{counts['harmless']} late but harmless, {counts['crossings']} superseded by a later read",
        "",
    ]
    for pair in expected["pairs"]:
        read, change = pair["read"], pair["change"]
        lines += [
            f"{pair['judgement'].upper()}  {pair['names'][0]}  over  {pair['names'][1]}",
            f"  the read    entry {read['entry']}, {read['id']}: began {clock(read['began'])}, "
            f"computed {clock(read['computed'])}, landed {clock(read['landed'])}",
            f"  the change  entry {change['entry']}, {change['id']}: "
            f"{applied(change)}answered {clock(change['landed'])}",
            f"  the read's path is {place(pair['relation'])}"
            + (f"; {pair['because']}" if "because" in pair else ""),
            "",
        ]
    for crossing in expected["crossings"]:
        older, newer = crossing["older"], crossing["newer"]
        lines += [
            f"SUPERSEDED  {crossing['names'][0]}  by a later read of the same address",
            f"  the older   entry {older['entry']}, {older['id']}: "
            f"began {clock(older['began'])}, landed {clock(older['landed'])}",
            f"  the newer   entry {newer['entry']}, {newer['id']}: "
            f"began {clock(newer['began'])}, landed {clock(newer['landed'])}",
            f"  the two answers {'differ' if crossing['differs'] else 'are equal'}",
            "",
        ]
    lines.append("What the page showed, against what the server held:")
    for step in expected["steps"]:
        span = "–".join(str(index) for index in step["entries"])
        note = f"; {step['note']}" if "note" in step else ""
        lines.append(f"  {step['title']} (entries {span}){note}")
        for shown in step["shown"]:
            verdict = "right" if shown["page"] == shown["server"] else "WRONG"
            page, server = (quoted(shown[key]) for key in ("page", "server"))
            lines.append(f"    {verdict}: {shown['at']} showed {page}, the server held {server}")
    return "\n".join(lines) + "\n"


def quoted(text):
    return "nothing" if text is None else json.dumps(text, ensure_ascii=False)


def clock(text):
    return text[11:23]


def applied(change):
    return f"applied {clock(change['applied'])}, " if "applied" in change else ""


def place(name):
    return {
        "same": "that of the change",
        "above": "a collection above the change",
        "below": "below the change",
        "elsewhere": "elsewhere",
    }[name]
