// The wall of a tournament: shows what is on, page after page, and the clock of the round.
import { run } from "./clock.js";
import { board, follow } from "./live.js";

const PAGE_MS = Number(new URLSearchParams(location.search).get("turn") ?? 9) * 1000;
const REFRESH_MS = 20000; // Tables that went away tell by nothing that they have.

let at = 0;
let shown = "";

function show() {
  const pages = [...board.querySelectorAll(".page")];
  const turning = board.querySelector(".turning");
  const is = board.querySelector(".board").dataset.shown;
  if (is !== shown) at = 0;
  shown = is;
  at = pages.length ? at % pages.length : 0;
  pages.forEach((page, number) => (page.hidden = number !== at));
  turning.hidden = pages.length < 2;
  turning.textContent = `${at + 1} / ${pages.length}`;
}

const refresh = follow((next) => {
  board.replaceChildren(...next.childNodes);
  show();
});
show();
run();
setInterval(() => {
  at += 1;
  show();
}, PAGE_MS);
setInterval(refresh, REFRESH_MS);
