// Shows every ruling of the referee once, when it comes, and for a while.

const SHOWN_MS = 15000;

const place = document.getElementById("ruling");
let shown = Number(document.body.dataset.seq);
let timer = null;

// Looks for new rulings in a board that has just been fetched.
export function announce(board) {
  const fresh = [...board.querySelectorAll(".rulings > li")].filter(
    (item) => Number(item.dataset.seq) > shown,
  );
  if (fresh.length === 0) return;
  shown = Number(fresh.at(-1).dataset.seq);
  const words = fresh.map((item) => [...item.childNodes].map((node) => node.cloneNode(true)));
  place.querySelector(".ruling-text").replaceChildren(...words.flat());
  place.hidden = false;
  clearTimeout(timer);
  timer = setTimeout(() => (place.hidden = true), SHOWN_MS);
}

place.addEventListener("click", () => (place.hidden = true));

// The log is another one that ends at `seq`.
export function startAfresh(seq) {
  shown = seq;
}
