// Puts a new board into the page without taking anything out of somebody's hands.
import { board, markChanges } from "./live.js";

// What somebody is busy with stays as it is while it has the same `data-keep`; an open <details>
// stays open, and what has the focus keeps it.
export function swap(next) {
  markChanges(next);
  for (const fresh of next.querySelectorAll("[data-keep]")) {
    const open = document.getElementById(fresh.id);
    if (open && board.contains(open) && open.dataset.keep === fresh.dataset.keep) {
      fresh.replaceWith(open);
    }
  }
  const focused = document.activeElement;
  const inside = focused && board.contains(focused);
  const scrolled = scrollY;
  board.replaceChildren(...next.childNodes);
  if (inside) {
    const again = board.contains(focused) ? focused : document.getElementById(focused.id);
    again?.focus({ preventScroll: true });
  }
  scrollTo(scrollX, scrolled);
}
