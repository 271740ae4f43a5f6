// One of each of the requests that look odd in a capture.

const other = `//${location.hostname === "localhost" ? "127.0.0.1" : "localhost"}:${location.port}`;
const quiet = (promise) => promise.then((answer) => answer.text()).catch(() => "");

async function run() {
  const stop = new AbortController();
  quiet(fetch("/api/notes/1", { cache: "no-store" }));
  quiet(fetch("/api/notes/5", { cache: "no-store", signal: stop.signal }));
  const list = fetch("/api/notes", { cache: "no-store" });
  await new Promise((done) => setTimeout(done, 300));
  const headers = { "Content-Type": "application/json" };
  const body = JSON.stringify({ title: "Fuel log für Oktober ⛽", done: true });
  await quiet(fetch("/api/notes/2", { method: "PATCH", headers, body }));
  document.body.dataset.changed = "yes";
  await quiet(list);
  await quiet(fetch("/api/notes/latest"));
  await quiet(fetch("/api/notes/3", { method: "HEAD" }));
  await quiet(fetch("/api/notes/99"));
  await quiet(fetch("/api/search?a=1&q=tide"));
  await quiet(fetch("/api/search?q=tide&a=1"));
  await quiet(fetch("/api/notes", { method: "PROPFIND" }));
  await quiet(fetch(`${other}/api/status`, { headers: { "X-Device": "odds" } }));
  await quiet(fetch(`${other}/api/status`, { mode: "no-cors" }));
  await quiet(fetch("http://127.0.0.1:8730/nobody-listens"));
  await quiet(fetch("/photos/1.png"));
  await quiet(fetch("/api/status"));
  await quiet(fetch("/api/status"));
  const file = URL.createObjectURL(new Blob(["tide"], { type: "text/plain" }));
  await quiet(fetch(file));
  await quiet(fetch("data:application/json,%7B%22tide%22%3A3%7D"));
  const form = new FormData();
  form.append("photo", new Blob([new Uint8Array([0, 255, 128])]), "berth.bin");
  await quiet(fetch("/beacon", { method: "POST", body: form }));
  await quiet(fetch("/beacon", { method: "POST", body: new URLSearchParams({ step: "form ü" }) }));
  navigator.sendBeacon("/beacon", "step=odds");
  await new Promise((done) => {
    const events = new EventSource("/events");
    events.onerror = () => (events.close(), done());
  });
  await new Promise((done) => {
    const socket = new WebSocket(`ws://${location.host}/live`);
    let heard = 0;
    socket.onmessage = () => {
      heard += 1;
      heard < 3 ? socket.send(`line ${heard}`) : socket.close();
    };
    socket.onclose = done;
  });
  stop.abort();
  document.body.dataset.done = "yes";
}

run();
