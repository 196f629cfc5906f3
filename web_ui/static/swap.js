// Puts a new board into the page without taking anything out of somebody's hands.
import { board, markChanges } from "./live.js";

// A board with a `data-shape` is exchanged piece by piece (`data-piece`) as long as the shape is the
// same. Whatever has the same `data-keep` as before stays as it is: what somebody types, an open
// <details>, a clip that plays. What has the focus keeps it.
export function swap(next) {
  markChanges(next);
  const before = board.querySelector(".board");
  const after = next.querySelector(".board");
  const same = after.dataset.shape && before?.dataset.shape === after.dataset.shape;
  keepFocus(() => (same ? exchangePieces(before, after) : exchangeAll(next)));
}

function isKept(open, fresh) {
  const kept = open?.dataset.keep;
  return kept !== undefined && board.contains(open) && kept === fresh.dataset.keep;
}

function exchangePieces(before, after) {
  for (const fresh of after.querySelectorAll("[data-piece]")) {
    const open = document.getElementById(fresh.id);
    if (!isKept(open, fresh)) open.replaceWith(fresh);
  }
  Object.assign(before.dataset, after.dataset);
}

function exchangeAll(next) {
  for (const fresh of next.querySelectorAll("[data-keep]")) {
    const open = document.getElementById(fresh.id);
    if (isKept(open, fresh)) fresh.replaceWith(open);
  }
  board.replaceChildren(...next.childNodes);
}

function keepFocus(exchange) {
  const focused = document.activeElement;
  const inside = board.contains(focused);
  const caret = inside && focused.matches("input:not([type])") ? focused.selectionStart : null;
  const [left, top] = [scrollX, scrollY];
  exchange();
  if (inside && document.activeElement !== focused) {
    const again = board.contains(focused) ? focused : document.getElementById(focused.id);
    again?.focus({ preventScroll: true });
    if (again && caret !== null) again.setSelectionRange(caret, caret);
  }
  scrollTo(left, top);
}
