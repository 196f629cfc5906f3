// The clock of a round: counts on from the server's time, which every new board brings anew.
const MINUTE_S = 60;

let ahead = 0; // How far the server's clock is ahead of this one, milliseconds.
let seen = null;

function tick() {
  const clock = document.getElementById("clock");
  if (!clock) return;
  const { now, from, to } = clock.dataset;
  if (clock !== seen) {
    seen = clock;
    ahead = Number(now) - Date.now();
  }
  const at = Date.now() + ahead;
  const end = Number(to);
  const left = end ? end - at : at - Number(from);
  const seconds = Math.floor(Math.abs(left) / 1000);
  const over = end > 0 && left <= 0;
  clock.classList.toggle("is-over", over);
  if (over) {
    const label = clock.querySelector(".clock-label");
    label.textContent = label.dataset.over;
  }
  const shown = `${Math.floor(seconds / MINUTE_S)}:${String(seconds % MINUTE_S).padStart(2, "0")}`;
  clock.querySelector(".clock-time").textContent = shown;
}

export function run() {
  tick();
  setInterval(tick, 250);
}
