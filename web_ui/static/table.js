// The table's own page: every move by hand, one tap for an unsure throw, and claims.
import { act } from "./acting.js";
import { clear, fill, press, strike, values } from "./keypad.js";
import { board, follow, settings } from "./live.js";
import { announce, startAfresh } from "./rulings.js";
import { swap } from "./swap.js";

const refreshSoon = follow((next) => {
  swap(next);
  announce(board);
}, startAfresh);

const hand = () => document.getElementById("hand");

async function enterThrow(pad, button) {
  const entry = pad.closest(".entry");
  const action = { type: "throw", player: entry.dataset.player, dice: values(pad) };
  if (await act(action, hand(), button)) {
    fill(pad, []);
    refreshSoon();
  } else {
    button.disabled = false;
  }
}

async function answer(question, told, button) {
  const action = { type: "answer_question", question_id: question.dataset.question, ...told };
  if (await act({ ...action, by: settings.by }, question, button)) {
    question.removeAttribute("id"); // Decided: the next board shows it no more.
    refreshSoon();
  }
}

async function doDeed(button) {
  const refusal = hand().querySelector(".refusal");
  if (button.getAttribute("aria-disabled") === "true") {
    refusal.textContent = button.title;
    refusal.hidden = false;
    return;
  }
  if (await act(JSON.parse(button.dataset.action), hand(), null)) refreshSoon();
}

async function claim(form) {
  const told = Object.fromEntries(new FormData(form));
  const action = { type: "claim", throw_id: Number(form.dataset.claim), ...told };
  if (await act(action, form, form.querySelector("button"))) {
    form.closest("[data-keep]").removeAttribute("id");
    refreshSoon();
  }
}

board.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  const question = button.closest("[data-question]");
  const full = press(button);
  if (full && question) answer(question, { dice: values(full) }, button);
  else if (full) enterThrow(full, button);
  else if (button.matches(".likely-throw")) {
    answer(question, { dice: button.dataset.dice.split(",").map(Number) }, button);
  } else if (button.matches(".verdict")) {
    answer(question, { verdict: button.dataset.verdict }, button);
  } else if (button.dataset.action) doDeed(button);
});

board.addEventListener("submit", (event) => {
  event.preventDefault();
  if (event.target.matches(".claim-form")) claim(event.target);
});

// 1 to 6 and Backspace type into the keypad that has the focus, or into that of the hand.
document.addEventListener("keydown", (event) => {
  if (event.target.closest("input, textarea, select, summary")) return;
  const pad = event.target.closest("[data-keypad]") ?? document.querySelector("#hand [data-keypad]");
  if (!pad) return;
  if (event.key === "Escape") clear(pad);
  else if (strike(pad, event)) event.preventDefault();
  else if (event.key === "Enter" && !event.target.closest("button, a")) {
    pad.querySelector(".send-dice:enabled")?.click();
  }
});
