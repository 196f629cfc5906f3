// The desk of a tournament: follows the hall, and finds a name in a long list.
import { run } from "./clock.js";
import { board, follow } from "./live.js";
import { swap } from "./swap.js";

function arrange() {
  for (const field of board.querySelectorAll("[data-filter]")) {
    field.parentElement.hidden = false;
    const wanted = field.value.trim().toLowerCase();
    for (const row of board.querySelectorAll(field.dataset.filter)) {
      row.hidden = !row.dataset.player.toLowerCase().includes(wanted);
    }
  }
}

// What is wrong with the hub itself is in no log, so no event tells of it.
const LOOK_MS = 15000;

const look = follow((next) => {
  swap(next);
  arrange();
});
setInterval(look, LOOK_MS);
board.addEventListener("input", (event) => event.target.matches("[data-filter]") && arrange());
arrange();
run();
