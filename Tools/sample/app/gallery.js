// A big ordinary page. Images load in waves while the page polls, sends measurements, asks another
// server, and saves a note now and then. Each change waits until no read of a note is on the way,
// so nothing here is ever late.

const PHOTOS = 126;
const WAVE = 18;
const photos = document.getElementById("photos");
const other = `//${location.hostname === "localhost" ? "127.0.0.1" : "localhost"}:${location.port}`;
const json = { "Content-Type": "application/json" };

function loadPhoto(number) {
  return new Promise((done) => {
    const image = new Image(16, 16);
    image.onload = image.onerror = done;
    image.src = `/photos/${number}.png`;
    photos.append(image);
  });
}

async function poll() {
  await (await fetch("/api/status", { cache: "no-store" })).text();
  await (await fetch(`${other}/api/status`, { headers: { "X-Device": "gallery" } })).text();
}

async function look(wave) {
  await (await fetch("/api/notes", { cache: "no-store" })).text();
  await (await fetch(`/api/notes/${(wave % 6) + 1}`, { method: "HEAD", cache: "no-store" })).text();
}

async function tick(wave) {
  const body = JSON.stringify({ done: wave % 2 === 0 });
  const path = `/api/notes/${(wave % 6) + 1}`;
  await (await fetch(path, { method: "PATCH", headers: json, body })).text();
}

async function run() {
  for (let wave = 0; wave * WAVE < PHOTOS; wave++) {
    const numbers = Array.from({ length: WAVE }, (_, index) => wave * WAVE + index + 1);
    const images = numbers.map(loadPhoto);
    navigator.sendBeacon("/beacon", `wave=${wave}`);
    navigator.sendBeacon(`${other}/beacon`, `wave=${wave}`);
    await poll();
    await look(wave);
    await tick(wave);
    await Promise.all(images);
  }
  document.body.dataset.done = "yes";
}

run();
