"""Holds answers on cue, and keeps the server's own account of every request.

The account is the truth that a capture is judged by. For each read it says at what moment the
answer was computed; for each change, at what moment it was applied; and for each read that was
computed but not yet sent when a change was applied, whether that change altered its answer.
"""

import hashlib
import json
import threading
from datetime import datetime, timezone

HOLD_SECONDS_MAX = 20


def now():
    return datetime.now(timezone.utc).isoformat(timespec="microseconds").replace("+00:00", "Z")


def digest(answer):
    text = json.dumps([answer.status, answer.document], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


class Cue:
    """One request to hold: the next one of this method and target."""

    def __init__(self, name, method, target, when):
        self.name, self.method, self.target, self.when = name, method, target, when
        self.taken = threading.Event()
        self.let_go = threading.Event()

    def wait(self):
        self.let_go.wait(HOLD_SECONDS_MAX)


class Stage:
    """The cues that are waiting, the reads in flight, and the account."""

    def __init__(self, notebook):
        self.notebook = notebook
        self.lock = threading.Lock()
        self.cues = []
        self.pending = {}
        self.account = []

    def cue(self, name, method, target, when):
        with self.lock:
            self.cues.append(Cue(name, method, target, when))

    def cue_named(self, name):
        with self.lock:
            return next((cue for cue in reversed(self.cues) if cue.name == name), None)

    def arrive(self, method, target, host, device):
        """Writes the first line about a request, and takes the cue that waits for it."""
        with self.lock:
            seq = len(self.account) + 1
            line = {
                "seq": seq,
                "id": f"h-{seq:04}",
                "device": device,
                "method": method,
                "host": host,
                "target": target,
                "arrived": now(),
            }
            self.account.append(line)
            for cue in self.cues:
                if (cue.method, cue.target) == (method, target) and not cue.taken.is_set():
                    line["held"] = cue.name
                    cue.taken.set()
                    return line, cue
        return line, None

    def compute(self, line, look):
        """Answers a read from the state of this moment."""
        with self.lock:
            answer = look()
            line.update(kind="read", computed=now(), revision=self.notebook.revision)
            line.update(status=answer.status, digest=digest(answer), alteredBy=[])
            self.pending[line["seq"]] = (line, look, answer)
        return answer

    def apply(self, line, act):
        """Carries out a change, and notes which reads in flight it made old."""
        with self.lock:
            before = {seq: look() for seq, (_, look, _) in self.pending.items()}
            revision = self.notebook.revision
            answer = act()
            line.update(kind="change", applied=now(), revision=self.notebook.revision)
            line.update(status=answer.status, digest=digest(answer))
            line["changed"] = self.notebook.revision != revision
            for seq, (read, look, _) in self.pending.items():
                if look() != before[seq]:
                    read["alteredBy"].append(line["id"])
        return answer

    def send(self, line):
        """The last look before the answer leaves: is it still what the server would say?"""
        with self.lock:
            line["sent"] = now()
            read, look, answer = self.pending.pop(line["seq"], (None, None, None))
            if read is not None:
                line["oldWhenSent"] = look() != answer

    def note(self, line, kind, status):
        with self.lock:
            line.update(kind=kind, status=status)
