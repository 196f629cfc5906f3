// Dice entered one after the other on six large keys, or by the keys 1 to 6 of a keyboard.

export function values(pad) {
  return [...pad.querySelectorAll(".slot")].map((slot) => Number(slot.dataset.value));
}

export function isFull(pad) {
  return values(pad).length > 0 && !values(pad).includes(0);
}

// Puts a value into the first empty place; where there is none, into the last one.
export function type(pad, value) {
  if (pad.hasAttribute("data-locked")) return;
  const slots = [...pad.querySelectorAll(".slot")];
  set(slots.find((slot) => slot.dataset.value === "0") ?? slots.at(-1), value);
}

// Empties a place, or the last one that is filled.
export function clear(pad, slot = null) {
  const filled = [...pad.querySelectorAll(".slot")].filter((one) => one.dataset.value !== "0");
  const which = slot ?? filled.at(-1);
  if (which) set(which, 0);
}

export function fill(pad, dice) {
  pad.querySelectorAll(".slot").forEach((slot, index) => set(slot, dice[index] ?? 0));
}

function set(slot, value) {
  const pad = slot.closest("[data-keypad]");
  slot.dataset.value = value;
  slot.setAttribute("aria-label", slot.dataset.label.replace("#", value || "?"));
  slot.querySelector("use").setAttribute("href", `#die-${value}`);
  const send = pad.querySelector(".send-dice");
  if (send) {
    send.disabled = !isFull(pad) || pad.hasAttribute("data-locked");
    send.querySelector(".sent").textContent = values(pad).join("-").replaceAll("0", "?");
  }
  pad.dispatchEvent(new Event("change", { bubbles: true }));
}

// Handles a click inside a keypad; returns the keypad when what stands there is to be sent.
export function press(button) {
  const pad = button.closest("[data-keypad]");
  if (!pad) return null;
  if (button.matches(".key")) type(pad, Number(button.dataset.value));
  if (button.matches(".slot")) clear(pad, button);
  return button.matches(".send-dice") ? pad : null;
}

// A key of the keyboard meant for a keypad; returns whether it was one.
export function strike(pad, event) {
  if (event.ctrlKey || event.metaKey || event.altKey || !pad) return false;
  if (/^[1-6]$/.test(event.key)) type(pad, Number(event.key));
  else if (event.key === "Backspace") clear(pad);
  else return false;
  return true;
}
