// Waits until the table has gone and is there again, then shows its settings. Without a script the
// page looks for them after a while.

const EVERY_MS = 500;
let isGone = false;

async function look() {
  try {
    await fetch("/healthz", { cache: "no-store" });
    if (isGone) {
      location.replace(`/settings${location.search}`);
      return;
    }
  } catch {
    isGone = true;
  }
  setTimeout(look, EVERY_MS);
}

setTimeout(look, EVERY_MS);
