// Harbour log, written the way most such pages are: whatever arrived last is what it shows.
// That is the mistake that Tidemark finds. It is kept here on purpose.

const $ = (id) => document.getElementById(id);
let listTag = null;
let open = null;

async function ask(method, path, { body, headers = {} } = {}) {
  const options = { method, headers, cache: "no-store" };
  if (body !== undefined) {
    options.headers = { "Content-Type": "application/json", ...headers };
    options.body = JSON.stringify(body);
  }
  const answer = await fetch(path, options);
  const text = await answer.text();
  return { status: answer.status, tag: answer.headers.get("ETag"), ...(text && JSON.parse(text)) };
}

function say(text) {
  $("said").textContent = text;
}

// The list.

function showList(notes) {
  $("list").replaceChildren(...notes.map(row));
}

function row(note) {
  const item = document.createElement("li");
  item.id = `note-${note.id}`;
  item.className = note.done ? "done" : "";
  const tick = Object.assign(document.createElement("input"), {
    type: "checkbox",
    checked: note.done,
    id: `tick-${note.id}`,
  });
  tick.addEventListener("change", () => toggle(note.id, tick.checked));
  const link = Object.assign(document.createElement("a"), {
    textContent: note.title,
    id: `open-${note.id}`,
  });
  link.addEventListener("click", () => load(note.id));
  const cross = Object.assign(document.createElement("button"), {
    textContent: "×",
    id: `delete-${note.id}`,
  });
  cross.addEventListener("click", () => remove(note.id));
  item.append(tick, link, cross);
  return item;
}

async function refresh() {
  const answer = await ask("GET", "/api/notes");
  listTag = answer.tag;
  showList(answer.notes);
  say(`list of ${answer.notes.length} notes`);
}

async function refreshIfChanged() {
  const answer = await ask("GET", "/api/notes", { headers: { "If-None-Match": listTag } });
  if (answer.status === 304) return say("list unchanged");
  listTag = answer.tag;
  showList(answer.notes);
  say("list renewed");
}

// One note.

function show(note) {
  open = note;
  $("detail").hidden = false;
  $("shown-title").textContent = note.title;
  $("shown-text").textContent = note.text;
  $("shown-done").textContent = note.done ? "done" : "open";
  $("title").value = note.title;
}

async function load(id) {
  const note = await ask("GET", `/api/notes/${id}`);
  show(note);
  say(`opened ${id}`);
}

function put(note) {
  const line = $(`note-${note.id}`);
  if (line) line.replaceWith(row(note));
  if (open?.id === note.id) show(note);
}

async function save() {
  const { id, text, done, tag } = open;
  const body = { title: $("title").value, text, done };
  const answer = await ask("PUT", `/api/notes/${id}`, { body, headers: { "If-Match": tag } });
  if (answer.status !== 200) return say(`not saved: ${answer.error}`);
  put(answer);
  say(`saved ${id}`);
}

async function toggle(id, done) {
  const answer = await ask("PATCH", `/api/notes/${id}`, { body: { done } });
  if (answer.status !== 200) return say(`not changed: ${answer.error}`);
  put(answer);
  say(`${id} is ${done ? "done" : "open"}`);
}

async function remove(id) {
  const answer = await ask("DELETE", `/api/notes/${id}`);
  if (answer.status !== 204) return say(`not deleted: ${answer.error}`);
  $(`note-${id}`)?.remove();
  say(`deleted ${id}`);
}

async function add() {
  const answer = await ask("POST", "/api/notes", { body: { title: $("new-title").value } });
  if (answer.status !== 201) return say(`not added: ${answer.error}`);
  $("list").append(row(answer));
  $("new-title").value = "";
  say(`added ${answer.id}`);
}

// Search as you type.

async function search() {
  const words = $("search").value;
  if (!words) return $("found").replaceChildren();
  const answer = await ask("GET", `/api/search?q=${encodeURIComponent(words)}`);
  const lines = answer.found.map((note) => {
    return Object.assign(document.createElement("li"), { textContent: note.title });
  });
  $("found").replaceChildren(...lines);
  say(`${lines.length} found for ${answer.q}`);
}

// The same list and rename over GraphQL; `pages` of the app that are not drawn use it.

function graphql(operationName, query, variables) {
  return ask("POST", "/graphql", { body: { operationName, query, variables } });
}

window.graphqlNotes = async () => {
  const answer = await graphql("Notes", "query Notes { notes { id title done revision } }", {});
  showList(answer.data.notes);
  say("list by GraphQL");
};

window.graphqlRename = async (id, title) => {
  const query =
    "mutation RenameNote($id: Int!, $title: String!) " +
    "{ renameNote(id: $id, title: $title) { id title done revision } }";
  const answer = await graphql("RenameNote", query, { id, title });
  put(answer.data.renameNote);
  say(`renamed ${id}`);
};

// What goes on by itself.

async function pollStatus() {
  const answer = await fetch("/api/status");
  const { revision, notes, open } = await answer.json();
  $("status").textContent = `${open} of ${notes} open, revision ${revision}`;
}

setInterval(pollStatus, 1500);
setInterval(() => $("fresh").checked && refreshIfChanged(), 400);

$("refresh").addEventListener("click", refresh);
$("reopen").addEventListener("click", () => load(open.id));
$("close").addEventListener("click", () => ($("detail").hidden = true));
$("search").addEventListener("input", search);
for (const [form, act] of [["new", add], ["edit", save]]) {
  $(form).addEventListener("submit", (event) => {
    event.preventDefault();
    act();
  });
}

// Measurements: one to our own server, one to another.
navigator.sendBeacon("/beacon", "page=harbour&step=start");
const elsewhere = location.hostname === "localhost" ? "127.0.0.1" : "localhost";
navigator.sendBeacon(`//${elsewhere}:${location.port}/beacon`, "page=harbour&step=start");

refresh();
pollStatus();
