// Keeps a page at the table's state: each event of the live stream asks for the board anew (many
// events at once for one fetch).

const RETRY_MS = 2000; // After a fetch that failed.
const REOPEN_MS = 3000; // After a stream the browser has given up.

export const settings = document.body.dataset;
export const board = document.getElementById("board");

// Events come in bursts; one fetch shows them all. A hall full of tables and viewers asks for more.
const PAUSE_MS = Number(settings.pauseMs ?? 80);

// Calls `show` with each new board, a <main> whose children belong into the old one's place, and
// `startAfresh` with a number when the log is another one that ends there. Only after an event that
// is `wanted` is there a new board, and no sooner than `pauseMs`. Returns a function that asks for
// the board at once.
export function follow(show, startAfresh = () => {}, { wanted = () => true, pauseMs = PAUSE_MS } = {}) {
  const connection = document.getElementById("connection");
  let lastSeq = Number(settings.seq);
  let timer = null;
  let fetching = false;
  let again = false;

  function refreshSoon(delayMs = pauseMs) {
    if (fetching) {
      again = true;
    } else if (timer === null) {
      timer = setTimeout(refresh, delayMs);
    }
  }

  async function refresh() {
    timer = null;
    fetching = true;
    let failed = false;
    try {
      const response = await fetch(settings.boardUrl, { cache: "no-store" });
      if (!response.ok) throw new Error(`status ${response.status}`);
      const next = document.createElement("main");
      next.innerHTML = await response.text();
      show(next);
      // One that was drawn for another viewer a moment ago may lack what the stream has told since.
      if (Number(next.querySelector("[data-seq]")?.dataset.seq ?? lastSeq) < lastSeq) again = true;
    } catch {
      failed = true;
    }
    fetching = false;
    if (failed || again) {
      again = false;
      refreshSoon(failed ? RETRY_MS : pauseMs);
    }
  }

  // The browser reconnects by itself and says what it saw last; where it gives up (an answer that
  // is no stream, such as 503), a new one goes on from the same number.
  function open() {
    const stream = new EventSource(`${settings.streamUrl}?after=${lastSeq}`);
    stream.onopen = () => {
      // The first time the page is as new as the number it came with.
      if (!connection.hidden) refreshSoon();
      connection.hidden = true;
    };
    stream.onmessage = (event) => {
      lastSeq = Number(event.lastEventId);
      if (wanted(JSON.parse(event.data))) refreshSoon();
    };
    stream.addEventListener("reset", (event) => {
      lastSeq = Number(event.data);
      startAfresh(lastSeq);
      refreshSoon();
    });
    stream.addEventListener("renew", () => refreshSoon());
    stream.onerror = () => {
      connection.hidden = false;
      if (stream.readyState !== EventSource.CLOSED) return;
      setTimeout(() => {
        open();
        refreshSoon(); // Where all seats are taken the page is at least this young.
      }, REOPEN_MS);
    };
  }

  open();
  return () => refreshSoon(PAUSE_MS);
}

// Deckel that moved light up, so that the eye finds them.
export function markChanges(next) {
  for (const row of next.querySelectorAll("[data-deckel]")) {
    const before = find(row);
    if (before && before.dataset.deckel !== row.dataset.deckel) row.classList.add("changed");
  }
}

function find(row) {
  return [...board.querySelectorAll("[data-deckel]")].find(
    (other) => other.id === row.id && other.dataset.player === row.dataset.player,
  );
}
