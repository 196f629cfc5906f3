// Seats, moves and lets go players without a reload: the server answers with the form changed.

const BEGINS = "start";

document.addEventListener("submit", (event) => {
  const button = event.submitter;
  if (event.target.id !== "start" || !button || button.value === BEGINS) return;
  event.preventDefault();
  change(event.target, button);
});

async function change(form, button) {
  try {
    const body = new URLSearchParams(new FormData(form, button));
    const open = empty(form);
    if (isTyped(button)) open[0]?.focus(); // The next name may be typed before the answer comes.
    const answer = await fetch(form.action, { method: "POST", body });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = page.getElementById("start");
    if (!fresh) throw new Error("no form");
    const late = open.map((place) => place.value).filter((name) => name !== "");
    form.replaceWith(fresh);
    focusAfter(fresh, button, late);
  } catch {
    reload(form, button);
  }
}

// Without an answer the browser sends the form itself, and says what is wrong.
function reload(form, button) {
  const sent = document.createElement("input");
  Object.assign(sent, { type: "hidden", name: button.name, value: button.value });
  form.append(sent);
  form.submit();
}

// What was typed since goes into the next places; then back to the button that was pressed, or on
// to the next place where names are typed.
function focusAfter(form, button, late) {
  const places = empty(form);
  late.slice(0, places.length).forEach((name, at) => (places[at].value = name));
  const again = [...form.querySelectorAll("button")].find((one) => one.value === button.value);
  const next = places[Math.max(0, late.length - 1)];
  (isTyped(button) || late.length ? next : again ?? next)?.focus();
}

function isTyped(button) {
  return ["enter", "more"].includes(button.value);
}

function empty(form) {
  return [...form.querySelectorAll("[name=player]")].filter((place) => place.value === "");
}
