"""The notes of Harbour log, and what the server says about them at this moment.

Nothing here knows HTTP, time or chance: the same calls give the same answers.
"""

from typing import NamedTuple
from urllib.parse import parse_qs, urlsplit

FIRST_NOTES = [
    ("Check mooring lines", "Two at the bow, two at the stern, one spring."),
    ("Fuel log for October", "Diesel 140 l, petrol 12 l. The meter on berth 7 sticks."),
    ("Harbour master called", "Wants the berth plan before the storm season."),
    ("Paint order, port side", "Eight tins of red lead, two of white."),
    ("Radio licence renewal", "The form is in the blue folder."),
    ("Tide table for the bar", "Print it larger; nobody can read it in the rain."),
]


class Answer(NamedTuple):
    """What the server says: a status, a JSON document or nothing, and its revision tag."""

    status: int
    document: object = None
    etag: str | None = None
    location: str | None = None


class Notebook:
    """The server's truth; `revision` rises with each real change, not with one to the same."""

    def __init__(self):
        self.revision = len(FIRST_NOTES)
        self.next_id = len(FIRST_NOTES) + 1
        self.notes = {
            number: {"id": number, "title": title, "text": text, "done": False, "revision": number}
            for number, (title, text) in enumerate(FIRST_NOTES, start=1)
        }

    # Reads: they look and never change anything.

    def read(self, target, if_none_match=None):
        """The answer to `GET target` now; 304 if it is what the reader already has."""
        parts = urlsplit(target)
        if parts.path == "/api/notes":
            answer = Answer(200, self.listing(), f'"list-{self.revision}"')
        elif parts.path == "/api/status":
            open_count = sum(not note["done"] for note in self.notes.values())
            status = {"revision": self.revision, "notes": len(self.notes), "open": open_count}
            answer = Answer(200, status, f'"status-{self.revision}"')
        elif parts.path == "/api/search":
            answer = Answer(200, self.found(parse_qs(parts.query).get("q", [""])[0]))
        elif parts.path == "/api/notes/latest":
            return Answer(307, None, None, f"/api/notes/{max(self.notes)}")
        else:
            answer = self.detail(parts.path)
        if if_none_match and answer.etag == if_none_match:
            return Answer(304, None, answer.etag)
        return answer

    def listing(self):
        rows = [
            {key: note[key] for key in ("id", "title", "done", "revision")}
            for note in self.notes.values()
        ]
        return {"revision": self.revision, "notes": rows}

    def found(self, words):
        words = words.strip().lower()
        rows = [
            {"id": note["id"], "title": note["title"]}
            for note in self.notes.values()
            if words and words in (note["title"] + " " + note["text"]).lower()
        ]
        return {"q": words, "found": rows}

    def detail(self, path):
        note = self.note_at(path)
        if note is None:
            return Answer(404, {"error": "there is no such note"})
        return Answer(200, dict(note), self.tag(note))

    # Changes: each gives its answer, and says by `revision` whether anything changed.

    def change(self, method, target, document, if_match=None):
        """Carries out a change and gives its answer; a refused one changes nothing."""
        path = urlsplit(target).path
        if path == "/api/notes" and method == "POST":
            return self.create(document)
        note = self.note_at(path)
        if note is None:
            return Answer(404, {"error": "there is no such note"})
        if if_match and if_match != self.tag(note):
            return Answer(409, {"error": "someone else changed this note", "note": dict(note)})
        if method == "DELETE":
            del self.notes[note["id"]]
            self.revision += 1
            return Answer(204)
        return self.update(note, document)

    def create(self, document):
        title = str(document.get("title", "")).strip()
        if not title:
            return Answer(422, {"error": "a note needs a title"})
        self.revision += 1
        text = str(document.get("text", ""))
        note = dict(id=self.next_id, title=title, text=text, done=False, revision=self.revision)
        self.notes[note["id"]] = note
        self.next_id += 1
        return Answer(201, dict(note), self.tag(note), f"/api/notes/{note['id']}")

    def update(self, note, document):
        wanted = {key: document[key] for key in ("title", "text", "done") if key in document}
        if not str(wanted.get("title", note["title"])).strip():
            return Answer(422, {"error": "a note needs a title"})
        if any(note[key] != value for key, value in wanted.items()):
            self.revision += 1
            note.update(wanted, revision=self.revision)
        return Answer(200, dict(note), self.tag(note))

    # GraphQL: one query and one mutation, told apart by their operation names.

    def graphql(self, document):
        operation = document.get("operationName")
        variables = document.get("variables") or {}
        if operation == "Notes":
            return Answer(200, {"data": {"notes": self.listing()["notes"]}})
        if operation == "RenameNote":
            note = self.notes.get(variables.get("id"))
            if note is None:
                return Answer(200, {"data": None, "errors": [{"message": "no such note"}]})
            renamed = self.update(note, {"title": variables.get("title", "")})
            if renamed.status != 200:
                return Answer(200, {"data": None, "errors": [{"message": "a title is needed"}]})
            row = {key: note[key] for key in ("id", "title", "done", "revision")}
            return Answer(200, {"data": {"renameNote": row}})
        return Answer(400, {"errors": [{"message": "unknown operation"}]})

    def note_at(self, path):
        number = path.removeprefix("/api/notes/")
        return self.notes.get(int(number)) if number.isdigit() else None

    def tag(self, note):
        return f'"note-{note["id"]}-{note["revision"]}"'
