// Keeps the set-up's pictures and facts fresh, and lets corners be tapped in a picture of any size.

const PICTURE_MS = 700;
const FACTS_MS = 1500;

document.documentElement.classList.add("scripted");

// The next picture is shown when it is there: no flashing, and none piles up behind a slow one.
async function renewPicture(shown) {
  try {
    const next = new Image();
    next.src = `${shown.dataset.look}?n=${Date.now()}`;
    await next.decode();
    shown.src = next.src;
  } catch {
    // No picture now: the one before stays, the facts say why.
  }
}

async function pictures() {
  if (!document.hidden) {
    await Promise.all([...document.querySelectorAll("[data-look]")].map(renewPicture));
  }
  setTimeout(pictures, PICTURE_MS);
}

async function facts() {
  try {
    const shown = document.getElementById("facts");
    if (shown && !document.hidden && !shown.contains(document.activeElement)) await renew(shown);
  } catch {
    // The server starts anew, or is away: what was known stays.
  }
  setTimeout(facts, FACTS_MS);
}

async function renew(shown) {
  const answer = await fetch(location.href);
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const fresh = page.getElementById("facts");
  if (!fresh) return location.reload();
  // Another form is needed, such as the one to tap corners in: take the whole page.
  const hadPicture = document.querySelector("main .look:not(.none)") !== null;
  const hasPicture = page.querySelector("main .look:not(.none)") !== null;
  if (shown.dataset.state !== fresh.dataset.state || hadPicture !== hasPicture) {
    if (!document.activeElement.matches("input, select")) location.reload(); // Not while typing.
    return;
  }
  if (shown.contains(document.activeElement)) return;
  keepPictures(shown, fresh);
  shown.replaceWith(fresh);
}

// Pictures that are shown already go on to be shown.
function keepPictures(shown, fresh) {
  for (const picture of fresh.querySelectorAll("img")) {
    const known = picture.dataset.look
      ? shown.querySelector(`img[data-look="${picture.dataset.look}"]`)
      : shown.querySelector(`img[src="${picture.getAttribute("src")}"]`);
    if (known) picture.replaceWith(known);
  }
}

// A picture that is scaled to the screen: what is sent are pixels of the picture itself.
document.addEventListener("click", (event) => {
  const picture = event.target.closest?.("input[type=image]");
  if (!picture) return;
  event.preventDefault();
  if (event.detail === 0) return; // A key, not a finger: it points nowhere.
  const box = picture.getBoundingClientRect();
  const scale = Number(picture.dataset.width) / box.width;
  send(picture.form, "tap.x", (event.clientX - box.left) * scale);
  send(picture.form, "tap.y", (event.clientY - box.top) * scale);
  picture.form.submit();
});

function send(form, name, value) {
  const sent = document.createElement("input");
  Object.assign(sent, { type: "hidden", name, value: value.toFixed(1) });
  form.append(sent);
}

setTimeout(pictures, PICTURE_MS);
setTimeout(facts, FACTS_MS);
