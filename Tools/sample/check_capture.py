#!/usr/bin/env python3
"""Says what shape each capture has, and whether its expected file fits it.

    check_capture.py [FILE.har…]

Without files: all of the repository. One line a capture, then one line for each way in which it
departs from HAR 1.2, with the number of entries. Departures are what importers have to live with,
so they are no failure; exit status 1 means that a file is no HAR file, or that its expected file
tells of entries that are not there.
"""

import json
import sys
from collections import Counter
from datetime import datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("Tools/sample", "Tests/ExportsTests/Captures")
NUMBER = (int, float)
ENTRY = {
    "startedDateTime": str,
    "time": NUMBER,
    "cache": dict,
    "request.method": str,
    "request.url": str,
    "request.httpVersion": str,
    "request.cookies": list,
    "request.headers": list,
    "request.queryString": list,
    "request.headersSize": NUMBER,
    "request.bodySize": NUMBER,
    "response.status": NUMBER,
    "response.statusText": str,
    "response.httpVersion": str,
    "response.cookies": list,
    "response.headers": list,
    "response.redirectURL": str,
    "response.headersSize": NUMBER,
    "response.bodySize": NUMBER,
    "response.content.size": NUMBER,
    "response.content.mimeType": str,
    "timings.send": NUMBER,
    "timings.wait": NUMBER,
    "timings.receive": NUMBER,
}


def at(value, path):
    for key in path.split("."):
        if not isinstance(value, dict) or key not in value:
            return None
        value = value[key]
    return value


def departures(log):
    """Each way in which the log departs from HAR 1.2, with its count."""
    found = Counter()
    if log.get("version") != "1.2":
        found[f"log.version is {log.get('version')!r}"] += 1
    for part in ("creator.name", "creator.version"):
        if not isinstance(at(log, part), str):
            found[f"log.{part} is missing"] += 1
    if not isinstance(log.get("pages", []), list):
        found["log.pages is no list"] += 1
    for entry in log["entries"]:
        for path, kind in ENTRY.items():
            value = at(entry, path)
            if value is None:
                found[f"{path} is missing"] += 1
            elif not isinstance(value, kind) or isinstance(value, bool):
                found[f"{path} has the wrong type"] += 1
        found.update(odd_values(entry))
    starts = [moment(entry) for entry in log["entries"]]
    known = [start for start in starts if start]
    if len({start.tzinfo is None for start in known}) == 1 and known != sorted(known):
        found["entries are not in the order of their beginnings"] += 1
    return found


def moment(entry):
    text = entry.get("startedDateTime")
    try:
        return datetime.fromisoformat(text.replace("Z", "+00:00"))
    except (AttributeError, ValueError):
        return None


def odd_values(entry):
    start = moment(entry)
    if start is None:
        yield "startedDateTime cannot be read"
    elif start.tzinfo is None:
        yield "startedDateTime has no time zone"
    if isinstance(entry.get("time"), NUMBER) and entry["time"] < 0:
        yield "time is below zero"
    timings = entry.get("timings") or {}
    if any(isinstance(value, NUMBER) and value < 0 and value != -1 for value in timings.values()):
        yield "a timing is below zero and not -1"
    status = at(entry, "response.status")
    if isinstance(status, int) and status < 100:
        yield "response.status is no status"
    size = at(entry, "response.content.size")
    text = at(entry, "response.content.text")
    plain = text is not None and at(entry, "response.content.encoding") is None
    if plain and isinstance(size, int) and size != len(text.encode("utf-8", "replace")):
        yield "content.size is not the length of content.text"
    if isinstance(at(entry, "response.bodySize"), int) and at(entry, "response.bodySize") < -1:
        yield "response.bodySize is below -1"


def summary(path, har):
    entries = har["log"]["entries"]
    methods = Counter(str(at(entry, "request.method")).upper() for entry in entries)
    texts = [at(entry, "response.content.text") is not None for entry in entries]
    encoded = sum(at(entry, "response.content.encoding") == "base64" for entry in entries)
    told = ", ".join(f"{method} {count}" for method, count in methods.most_common())
    creator = f"{at(har, 'log.creator.name')} {at(har, 'log.creator.version')}"
    return (
        f"{path.name}: {path.stat().st_size:,} bytes, {creator}, {len(entries)} entries ({told}); "
        f"content in {sum(texts)}, {encoded} of them base64"
    )


def expected_file(path):
    name = "expected.json" if path.stem == "capture" else f"{path.stem}.expected.json"
    beside = path.with_name(name)
    return beside if beside.exists() else None


def misfits(path, har):
    """What the expected file tells of entries that are not so."""
    file = expected_file(path)
    if file is None:
        yield "there is no expected file"
        return
    expected = json.loads(file.read_text())
    entries = har["log"]["entries"]
    if expected["counts"]["entries"] != len(entries):
        yield f"{file.name} counts {expected['counts']['entries']} entries"
    told = [pair[role] for pair in expected["pairs"] for role in ("read", "change")]
    told += [pair[role] for pair in expected["crossings"] for role in ("older", "newer")]
    for one in told:
        request = entries[one["entry"]]["request"]
        if (request["method"], request["url"]) != (one["method"], one["url"]):
            yield f"{file.name}: entry {one['entry']} is {request['method']} {request['url']}"


def main(arguments):
    paths = [Path(argument) for argument in arguments]
    if not paths:
        paths = [path for folder in FOLDERS for path in sorted((ROOT / folder).glob("*.har"))]
    failed = False
    for path in paths:
        try:
            har = json.loads(path.read_text(encoding="utf-8-sig"))
            if not isinstance(har["log"]["entries"], list):
                raise TypeError("log.entries is no list")
        except (OSError, ValueError, KeyError, TypeError) as error:
            print(f"{path.name}: no HAR file: {error!r}")
            failed = True
            continue
        print(summary(path, har))
        for departure, count in sorted(departures(har["log"]).items()):
            print(f"    {departure} ×{count}")
        for misfit in misfits(path, har):
            print(f"    WRONG: {misfit}")
            failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
