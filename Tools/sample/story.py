"""The scripted sessions: what a person does on the page, and which answers come late.

A step names what it stages. `races` is what must be found in the capture: a judgement, the read and
the change. The recorder compares it with the server's account and refuses a recording in which
anything else happened to cross.
"""

import contextlib
import itertools
import json
import time
import urllib.request

PAUSE_SECONDS = 0.15


class Stage:
    """The recorder's line to the server: cues, and the account."""

    def __init__(self, address):
        self.address = address
        self.numbers = itertools.count(1)
        self.steps = []

    def hand(self, path, **wish):
        data = json.dumps(wish).encode()
        request = urllib.request.Request(f"{self.address}_stage/{path}", data, method="POST")
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)

    def account(self):
        return self.hand("account")

    def elsewhere(self, method, target, document):
        """A change by somebody else: it reaches the server, and no capture sees it."""
        request = urllib.request.Request(
            self.address.rstrip("/") + target,
            json.dumps(document).encode(),
            {"X-Device": "second phone"},
            method=method,
        )
        urllib.request.urlopen(request).close()

    @contextlib.contextmanager
    def step(self, title, races=()):
        began = len(self.account()) + 1
        step = {"title": title, "from": began, "races": [list(race) for race in races], "shown": []}
        yield step
        time.sleep(PAUSE_SECONDS)
        step["to"] = len(self.account())
        self.steps.append(step)

    @contextlib.contextmanager
    def late(self, method, target, when="after"):
        """The next such request is held until the block ends.

        `after`: its answer is computed when it arrives and sent late, so it may be old. `before`:
        it waits first and is computed when the block ends, so it is late and yet new.
        """
        name = f"cue-{next(self.numbers)}"
        self.hand("hold", name=name, method=method, target=target, when=when)
        yield lambda: self.hand("wait", name=name)
        time.sleep(PAUSE_SECONDS)
        self.hand("release", name=name)
        held = lambda line: line.get("held") == name and "sent" in line
        while not any(held(line) for line in self.account()):
            time.sleep(0.02)
        time.sleep(PAUSE_SECONDS)


class Person:
    """Somebody at the page: acts, and waits until the page says that it is done."""

    def __init__(self, page):
        self.page = page

    def said(self, words):
        end = time.monotonic() + 10
        while words not in (self.page.text("#said") or ""):
            if time.monotonic() > end:
                raise RuntimeError(f"the page says {self.page.text('#said')!r}, not {words!r}")
            time.sleep(0.03)
        time.sleep(PAUSE_SECONDS / 2)

    def click(self, selector, then=None):
        self.page.click(selector)
        if then:
            self.said(then)

    def rename(self, title, then):
        self.page.type("#title", title)
        self.click("#save", then)

    def look(self, step, selector, truth):
        step["shown"].append({"at": selector, "page": self.page.text(selector), "server": truth})

    def wait_for(self, expression):
        end = time.monotonic() + 10
        while not self.page.evaluate(expression):
            if time.monotonic() > end:
                raise RuntimeError(f"waited in vain for {expression}")
            time.sleep(0.03)


LIST = "/api/notes"


def load(stage, person):
    with stage.step("the page loads; a beacon is answered while an image and the list wait"):
        held = [("POST", "/beacon"), ("GET", "/photos/3.png"), ("GET", LIST)]
        if not person.page.can_act_while_loading:
            held.remove(("GET", "/photos/3.png"))
        with contextlib.ExitStack() as stack:
            began = [stack.enter_context(stage.late(*request)) for request in reversed(held)]
            person.page.open(stage.address, whole=False)
            for one in began:
                one()
        person.said("list of 6")


def ordinary(stage, person):
    with stage.step("open a note, tick it, refresh: all in order"):
        person.click("#open-1", "opened 1")
        person.click("#tick-1", "1 is done")
        person.click("#close")
        person.click("#refresh", "list of 6")


def list_and_put(stage, person):
    race = ("stale", f"GET {LIST}", "PUT /api/notes/1")
    with stage.step("a slow list comes after the answer to a rename", [race]) as step:
        person.click("#open-1", "opened 1")
        with stage.late("GET", LIST) as began:
            person.click("#refresh")
            began()
            person.rename("Check mooring lines twice", "saved 1")
        person.look(step, "#open-1", "Check mooring lines twice")
    with stage.step("the person refreshes, and the list is right again") as step:
        person.click("#refresh", "list of 6")
        person.look(step, "#open-1", "Check mooring lines twice")


def detail_and_patch(stage, person):
    race = ("stale", "GET /api/notes/2", "PATCH /api/notes/2")
    with stage.step("a slow detail comes after the answer to a tick", [race]) as step:
        with stage.late("GET", "/api/notes/2") as began:
            person.click("#open-2")
            began()
            person.click("#tick-2", "2 is done")
        person.look(step, "#shown-done", "done")


def list_and_delete(stage, person):
    race = ("stale", f"GET {LIST}", "DELETE /api/notes/4")
    with stage.step("a slow list brings a deleted note back", [race]) as step:
        with stage.late("GET", LIST) as began:
            person.click("#refresh")
            began()
            person.click("#delete-4", "deleted 4")
        person.look(step, "#open-4", None)
    with stage.step("refreshed, it is gone") as step:
        person.click("#refresh", "list of 5")
        person.look(step, "#open-4", None)


def list_and_post(stage, person):
    race = ("stale", f"GET {LIST}", f"POST {LIST}")
    with stage.step("a slow list makes a new note vanish", [race]) as step:
        with stage.late("GET", LIST) as began:
            person.click("#refresh")
            began()
            person.page.type("#new-title", "Order new fenders")
            person.click("#add", "added 7")
        person.look(step, "#open-7", "Order new fenders")
    with stage.step("refreshed, it is there") as step:
        person.click("#refresh", "list of 6")
        person.look(step, "#open-7", "Order new fenders")


def typeahead(stage, person):
    with stage.step("the reply to the shorter word lands last") as step:
        step["note"] = "two addresses, no change: no rule about paths sees this one"
        with stage.late("GET", "/api/search?q=f") as began:
            person.page.type("#search", "f")
            began()
            person.page.type("#search", "fuel")
            person.said("found for fuel")
        person.look(step, "#found li:nth-child(2)", None)
    races = [("superseded", "GET /api/search?q=tide", "GET /api/search?q=tide")]
    with stage.step("one search twice; another phone renames; the older is last", races) as step:
        with stage.late("GET", "/api/search?q=tide") as began:
            person.page.type("#search", "tide")
            began()
            title = {"title": "Tide table for the outer bar"}
            stage.elsewhere("PATCH", "/api/notes/6", title)
            person.page.type("#search", "tide")
            person.said("found for tide")
        person.look(step, "#found li", title["title"])
        person.page.type("#search", "-")
        person.said("found for -")


def unchanged(stage, person):
    with stage.step("nothing changed: 304, asked by the page and by the browser's own cache"):
        person.click("#refresh", "list of 6")
        person.click("#fresh", "list unchanged")
        time.sleep(0.9)
        person.click("#fresh")
        time.sleep(0.5)


def refused(stage, person):
    with stage.step("a note without a title is refused (422) while a list is on the way"):
        with stage.late("GET", LIST) as began:
            person.click("#refresh")
            began()
            person.page.type("#new-title", " ")
            person.click("#add", "not added")
    with stage.step("an edit of what another phone changed is refused (409); a detail waits"):
        person.click("#open-5", "opened 5")
        stage.elsewhere("PATCH", "/api/notes/5", {"text": "The form is in the red folder."})
        with stage.late("GET", "/api/notes/5") as began:
            person.click("#reopen")
            began()
            person.rename("Radio licence", "not saved")


def harmless(stage, person):
    same = ("harmless", "GET /api/notes/3", "PATCH /api/notes/3")
    with stage.step("a late detail, computed after the change: the same value", [same]) as step:
        with stage.late("GET", "/api/notes/3", when="before") as began:
            person.click("#open-3")
            began()
            person.click("#tick-3", "3 is done")
        person.look(step, "#shown-done", "done")
    nothing = ("harmless", f"GET {LIST}", "PUT /api/notes/3")
    with stage.step("a late list over a change that changed nothing", [nothing]):
        with stage.late("GET", LIST) as began:
            person.click("#refresh")
            began()
            person.click("#save", "saved 3")


def graphql(stage, person):
    with stage.step("a GraphQL query, a mutation, a query: all in order"):
        person.page.evaluate("void graphqlNotes()")
        person.said("list by GraphQL")
        person.page.evaluate("void graphqlRename(5, 'Radio licence, renewed')")
        person.said("renamed 5")
        person.page.evaluate("void graphqlNotes()")
        person.said("list by GraphQL")


def quick(stage, person):
    with stage.step("add, open, rename, tick, delete in quick order: all right") as step:
        person.page.type("#new-title", "Ice on the slip")
        person.click("#add", "added 8")
        person.click("#open-8", "opened 8")
        person.rename("Ice on the slipway", "saved 8")
        person.click("#tick-8", "8 is done")
        person.click("#delete-8", "deleted 8")
        person.click("#refresh", "list of 6")
        person.look(step, "#open-8", None)


def sample(stage, person):
    for act in (
        load,
        ordinary,
        list_and_put,
        detail_and_patch,
        list_and_delete,
        list_and_post,
        typeahead,
        unchanged,
        refused,
        harmless,
        graphql,
        quick,
    ):
        act(stage, person)


def short(stage, person):
    """For the captures of other exporters: a few races, a refused change, nothing else."""
    for act in (load, list_and_put, detail_and_patch, refused, harmless):
        act(stage, person)


def brief(stage, person):
    for act in (load, list_and_put, detail_and_patch):
        act(stage, person)


def crossing(stage, person):
    """A list, a detail and changes cross; and a search sees a change that no path rule tells of."""
    load(stage, person)
    races = [
        ("stale", f"GET {LIST}", "PUT /api/notes/1"),
        ("stale", "GET /api/notes/1", "PUT /api/notes/1"),
        ("stale", f"GET {LIST}", "PATCH /api/notes/2"),
        ("harmless", "GET /api/notes/1", "PATCH /api/notes/2"),
    ]
    with stage.step("a list and a detail wait; two notes change; both land late", races) as step:
        person.click("#open-1", "opened 1")
        with stage.late("GET", LIST) as list_began, stage.late("GET", "/api/notes/1") as began:
            person.click("#refresh")
            list_began()
            person.click("#reopen")
            began()
            person.rename("Check mooring lines twice", "saved 1")
            person.click("#tick-2", "2 is done")
        person.look(step, "#open-1", "Check mooring lines twice")
        person.look(step, "#shown-title", "Check mooring lines twice")
    races = [
        ("superseded", f"GET {LIST}", f"GET {LIST}"),
        ("stale", f"GET {LIST}", "DELETE /api/notes/4"),
    ]
    with stage.step("two lists and a delete: the older list lands last", races) as step:
        with stage.late("GET", LIST) as began:
            person.click("#refresh")
            began()
            person.click("#delete-4", "deleted 4")
            person.click("#refresh", "list of 5")
        person.look(step, "#open-4", None)
    races = [("harmless", f"GET {LIST}", "PATCH /api/notes/5")]
    with stage.step("a late list, computed after the change: it holds the new value", races):
        with stage.late("GET", LIST, when="before") as began:
            person.click("#refresh")
            began()
            person.click("#tick-5", "5 is done")
    races = [("stale", "GET /api/search?q=harbour", "PUT /api/notes/3")]
    with stage.step("a search on the way while a note is renamed", races) as step:
        person.click("#open-3", "opened 3")
        with stage.late("GET", "/api/search?q=harbour") as began:
            person.page.type("#search", "harbour")
            began()
            person.rename("Harbour office called", "saved 3")
        person.look(step, "#found li", "Harbour office called")


def by_operation(stage, person):
    """GraphQL alone: every request has one path, and only the operation tells them apart."""
    load(stage, person)
    person.page.evaluate("void graphqlNotes()")
    person.said("list by GraphQL")
    race = ("stale", "POST /graphql Notes", "POST /graphql RenameNote")
    with stage.step("a slow query comes after the answer to a mutation", [race]) as step:
        with stage.late("POST", "/graphql") as began:
            person.page.evaluate("void graphqlNotes()")
            began()
            person.page.evaluate("void graphqlRename(1, 'Check mooring lines twice')")
            person.said("renamed 1")
        person.look(step, "#open-1", "Check mooring lines twice")
    with stage.step("a query, alone") as step:
        person.page.evaluate("void graphqlNotes()")
        person.said("list by GraphQL")
        person.look(step, "#open-1", "Check mooring lines twice")


def gallery(stage, person):
    """A big ordinary page: images, beacons, polls, preflights, changes; nothing wrong."""
    with stage.step("a page with many images; beacons, polls and preflights in between"):
        person.page.open(f"{stage.address}harbour/gallery.html")
        person.wait_for("document.body.dataset.done === 'yes'")
        time.sleep(0.3)


def odds(stage, person):
    """One of each of what looks odd in a capture, and one race."""
    race = ("stale", f"GET {LIST}", "PATCH /api/notes/2")
    with stage.step("one of each; a late list; one request is broken off, one never ends", [race]):
        # The cue is never let go: what still waits at the export is in the capture too.
        stage.hand("hold", name="never", method="GET", target="/api/notes/1", when="after")
        stage.hand("hold", name="broken off", method="GET", target="/api/notes/5", when="after")
        with stage.late("GET", LIST) as began:
            person.page.open(f"{stage.address}harbour/odds.html", whole=False)
            began()
            person.wait_for("document.body?.dataset.changed === 'yes'")
        person.wait_for("document.body.dataset.done === 'yes'")
        time.sleep(0.3)
