// The wall screen: shows what the live stream brings, celebrates, and calls out to who wants it.
import { Caller } from "./caller.js";
import { board, follow, markChanges, settings } from "./live.js";
import * as rulings from "./rulings.js";

const REFRESH_MS = 60000; // Time alone lets a table that was left rest.
const CELEBRATION_MS = 7000;
const AWAKE_MS = 6000;

const caller = new Caller(settings.lang, Number(settings.seq), () => tell());
const celebration = document.getElementById("celebration");
const code = document.getElementById("code");
const controls = document.getElementById("controls");
const switches = [...controls.querySelectorAll("[data-switch]")];

const refresh = follow(
  (next) => {
    markChanges(next);
    board.replaceChildren(...next.childNodes);
    rulings.announce(board);
    for (const call of caller.fresh(board.querySelectorAll(".calls li"))) {
      if (call.celebrate) celebrate(call.celebrate);
      caller.call(call);
    }
  },
  (seq) => {
    caller.startAfresh(seq);
    rulings.startAfresh(seq);
  },
);
setInterval(refresh, REFRESH_MS);

let celebrated = null;
function celebrate(name) {
  clearTimeout(celebrated);
  celebration.querySelector(".celebration-name").textContent = name;
  celebration.hidden = false;
  celebrated = setTimeout(() => (celebration.hidden = true), CELEBRATION_MS);
}

// The controls show while somebody is at the screen.

let asleep = null;
function wake() {
  controls.classList.add("awake");
  clearTimeout(asleep);
  asleep = setTimeout(() => controls.classList.remove("awake"), AWAKE_MS);
}

function tell() {
  for (const button of switches) {
    const state = caller.state(button.dataset.switch);
    button.setAttribute("aria-pressed", String(state !== "off"));
    button.querySelector(".state").textContent = button.dataset[state];
    button.dataset.state = state;
  }
  // What is switched on and cannot be heard says so all the time.
  const dumb = switches.some((button) => ["waiting", "missing"].includes(button.dataset.state));
  controls.classList.toggle("needed", dumb);
}

const keys = {
  q: () => (code.hidden = !code.hidden),
  a: () => caller.toggle("voice"),
  t: () => caller.toggle("sounds"),
  Escape: () => (code.hidden = true),
};

function press(key) {
  keys[key]?.();
  tell();
}

controls.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (button) press(button.dataset.key);
});
document.addEventListener("keydown", (event) => {
  wake();
  if (!event.ctrlKey && !event.metaKey && !event.altKey) press(event.key);
});
document.addEventListener("pointermove", wake);
document.addEventListener("pointerdown", () => {
  wake();
  caller.unlock();
  setTimeout(tell); // The browser counts the tap only after it.
});
tell();
