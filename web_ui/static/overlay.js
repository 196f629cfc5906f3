// The overlay of a broadcast: shows what the live stream brings.
import { board, follow, markChanges } from "./live.js";

follow((next) => {
  markChanges(next);
  board.replaceChildren(...next.childNodes);
});
