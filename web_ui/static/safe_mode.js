// Goes on by itself when the table starts, or when starting it has failed. Without a script the page
// reloads itself, except for the landlord, who may be typing.

const EVERY_MS = 1000;
const mine = document.body.dataset.safe;

async function state() {
  const answer = await fetch("/", { cache: "no-store" });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  return page.body.dataset.safe;
}

async function look() {
  try {
    if ((await state()) !== mine) {
      location.replace(`/${location.search}`);
      return;
    }
  } catch {
    // The table is just taking over: nobody answers for a moment.
  }
  setTimeout(look, EVERY_MS);
}

setTimeout(look, EVERY_MS);
