// The statistics: renewed when something that they count has been settled, not at each throw.
import { board, follow } from "./live.js";
import { swap } from "./swap.js";

const PAUSE_MS = 3000; // A page that is read is renewed no more often.

const COUNTED = new Set([
  "match_started", "opening_settled", "round_settled", "round_void", "half_over", "game_over",
  "abandoned", "taken_back", "throw_corrected", "round_ruled", "deckel_ruled",
]);

follow(
  (next) => keepSideways(() => swap(next)),
  () => {},
  { wanted: (entry) => COUNTED.has(entry.type), pauseMs: PAUSE_MS },
);

// A table that somebody has pushed sideways stays there.
function keepSideways(exchange) {
  const pushed = [...board.querySelectorAll(".wide")].map((wide) => [wide.id, wide.scrollLeft]);
  exchange();
  for (const [id, left] of pushed) {
    const wide = document.getElementById(id);
    if (wide) wide.scrollLeft = left;
  }
}
