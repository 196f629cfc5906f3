// The scoreboard: shows what the live stream brings, and one tap confirms what the camera was
// unsure of.
import { act } from "./acting.js";
import { board, follow, markChanges, settings } from "./live.js";
import { announce, startAfresh } from "./rulings.js";

const refreshSoon = follow(show, startAfresh);

function show(next) {
  markChanges(next);
  // Before questions are moved: what is moved loses the focus.
  const focused = board.contains(document.activeElement) ? document.activeElement : null;
  keepQuestions(next);
  const scroll = board.querySelector(".log ol")?.scrollTop ?? 0;
  board.replaceChildren(...next.childNodes);
  if (focused) {
    const again = board.contains(focused) ? focused : document.getElementById(focused.id);
    again?.focus({ preventScroll: true });
  }
  const list = board.querySelector(".log ol");
  if (list) list.scrollTop = scroll;
  announce(board);
}

// A question or case somebody is deciding stays as it is under his finger.
function keepQuestions(next) {
  for (const fresh of next.querySelectorAll("[data-question], [data-case]")) {
    const open = document.getElementById(fresh.id);
    if (open && board.contains(open)) fresh.replaceWith(open);
  }
}

// Questions: tap a die, choose a likely throw, confirm.

function setDie(button, value) {
  button.dataset.value = value;
  button.setAttribute("aria-label", button.dataset.label.replace("#", value || "?"));
  button.querySelector("use").setAttribute("href", `#die-${value}`);
  const question = button.closest("[data-question]");
  const values = dice(question);
  question.querySelector(".confirm-dice").textContent = values.join("-").replaceAll("0", "?");
  question.querySelector(".confirm").disabled = values.includes(0);
}

function dice(question) {
  return [...question.querySelectorAll(".answer-die")].map((die) => Number(die.dataset.value));
}

function choose(candidate) {
  const values = candidate.dataset.dice.split(",").map(Number);
  const buttons = candidate.closest("[data-question]").querySelectorAll(".answer-die");
  buttons.forEach((button, index) => setDie(button, values[index] ?? 0));
}

function answer(button, told) {
  const question = button.closest("[data-question]");
  return decide(button, question, {
    type: "answer_question",
    question_id: question.dataset.question,
    ...told,
  });
}

function rule(button) {
  const what = button.closest("[data-case]");
  return decide(button, what, {
    type: "rule_case",
    case_id: what.dataset.case,
    verdict: button.dataset.ruling,
  });
}

async function decide(button, section, action) {
  if (await act({ ...action, by: settings.by }, section, button)) {
    section.removeAttribute("id"); // Decided: the next board shows it no more.
    refreshSoon();
  }
}

board.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  if (button.matches(".answer-die")) setDie(button, (Number(button.dataset.value) % 6) + 1);
  if (button.matches(".candidate")) choose(button);
  if (button.matches(".confirm")) answer(button, { dice: dice(button.closest("[data-question]")) });
  if (button.matches(".ruling")) rule(button);
  if (button.matches(".verdict")) answer(button, { verdict: button.dataset.verdict });
});
