// The referee's desk: what each decision would change is tried before it is made.
import { act, refuse, send } from "./acting.js";
import { fill, isFull, press, strike, values } from "./keypad.js";
import { board, follow, settings } from "./live.js";
import { announce, startAfresh } from "./rulings.js";
import { swap } from "./swap.js";
import { look } from "./viewer.js";

const TRY_AFTER_MS = 200;
const NAME = "schockauge.referee";

const refreshSoon = follow((next) => {
  swap(next);
  announce(board);
  arrange();
}, startAfresh);

const form = () => document.getElementById("decide");
const field = (name) => form().elements[name];
const number = (name) => Number(field(name).value);

// What a way to decide does; `said` has who decides and why.
const WAYS = {
  correct: (said) => ({
    type: "correct_throw", ...thrown(), dice: values(form().querySelector("[data-keypad]")),
    drop_later: field("drop_later").checked, ...said,
  }),
  repeat: (said) => ({ type: "repeat_throw", ...thrown(), ...said }),
  round: (said) => {
    const verdict = field("verdict").value;
    const lost = { loser: field("loser").value, winner: field("winner").value, deckel: number("deckel") };
    return {
      type: "rule_round", part: form().dataset.part, round: Number(form().dataset.round), verdict,
      ...(verdict === "loser" ? lost : {}), drop_later: field("round_drop_later").checked, ...said,
    };
  },
  deckel: (said) => ({
    type: "rule_deckel", giver: field("giver").value || null, taker: field("taker").value || null,
    count: number("count"), ...said,
  }),
  word: () => null,
};

function thrown() {
  return { player: form().dataset.player, throw_id: Number(form().dataset.throw) };
}

// The action that is chosen now; while nobody has said why, `reason` stands for it.
function chosen(reason) {
  const way = field("way").value;
  const by = field("by").value.trim() || settings.by;
  const { question, case: case_id } = form().dataset;
  if (way === "answer") {
    const dice = values(form().querySelector("[data-keypad]"));
    return { type: "answer_question", question_id: question, dice, by };
  }
  if (way.startsWith("verdict:")) {
    return { type: "answer_question", question_id: question, verdict: way.slice(8), by };
  }
  const said = { by, reason };
  if (way === "fault" || way === "dismissed") {
    return { type: "rule_case", case_id, verdict: way, ...said };
  }
  const action = WAYS[way](said);
  return case_id ? { type: "rule_case", case_id, verdict: "ruled", action, ...said } : action;
}

function reason() {
  return field("reason")?.value.trim() ?? "";
}

function needsReason() {
  return !(form().dataset.kind === "question" || ["fault", "dismissed"].includes(field("way").value));
}

// Trying

let timer = null;
let tried = 0;

function tryLater() {
  clearTimeout(timer);
  timer = setTimeout(tryNow, TRY_AFTER_MS);
}

async function tryNow() {
  if (!form()) return;
  const pad = openPad();
  const place = document.getElementById("consequence");
  const sending = document.getElementById("decide-send");
  const turn = ++tried;
  if (pad && !isFull(pad)) {
    sending.disabled = true;
    return show(place, []);
  }
  const answer = await send(settings.tryUrl, chosen(reason() || "…"));
  if (turn !== tried || !form()) return; // Somebody has chosen something else meanwhile.
  const refusal = form().querySelector(".refusal");
  refusal.hidden = true;
  const refused = answer.error ?? answer.refused;
  sending.disabled = Boolean(refused);
  if (refused) {
    refuse(refusal, refused);
    show(place, []);
  } else {
    show(place, answer.texts, answer);
  }
}

function show(place, texts, { players = [], stock } = {}) {
  place.querySelector(".changes").replaceChildren(...texts.map((text) => make("li", text)));
  const rows = players.map(({ name, before, after }) => row(name, before, after));
  if (stock) rows.push(row(place.dataset.stock, stock.before, stock.after));
  place.querySelector("tbody").replaceChildren(...rows);
  place.querySelector("table").hidden = rows.length === 0;
}

function row(name, before, after) {
  const cells = [make("th", name), make("td", before), make("td", after)];
  cells[0].scope = "row";
  const line = make("tr", "");
  line.append(...cells);
  line.classList.toggle("changed", before !== after);
  return line;
}

function make(tag, text) {
  const element = document.createElement(tag);
  element.textContent = text;
  return element;
}

// Choosing

function openPad() {
  return form().querySelector(".way:has(input[name=way]:checked) [data-keypad]");
}

// Shows what belongs to the chosen way, and to the chosen verdict on a round.
function arrange() {
  look();
  if (!form()) return;
  const known = localStorage.getItem(NAME);
  if (known && field("by").value === field("by").defaultValue) field("by").value = known;
  for (const way of form().querySelectorAll(".way")) {
    way.classList.toggle("chosen", way.querySelector("[name=way]").checked);
  }
  for (const part of form().querySelectorAll("[data-if]")) {
    part.hidden = field("verdict").value !== part.dataset.if;
  }
  tryLater();
}

async function decide() {
  const refusal = form().querySelector(".refusal");
  if (needsReason() && !reason()) {
    refuse(refusal, { text: document.getElementById("consequence").dataset.placeholder });
    field("reason").focus();
    return;
  }
  localStorage.setItem(NAME, field("by").value.trim());
  const done = await act(chosen(reason()), form(), document.getElementById("decide-send"));
  if (!done) return;
  form().removeAttribute("id"); // Decided: what is next comes in its place.
  settings.boardUrl = board.querySelector("[data-next]").dataset.next;
  history.replaceState(null, "", `${location.pathname}?lang=${settings.lang}`);
  refreshSoon();
}

board.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  press(button);
  if (button.dataset.fill) {
    fill(button.closest(".way").querySelector("[data-keypad]"), button.dataset.fill.split(","));
  }
});
board.addEventListener("change", () => form() && arrange());
board.addEventListener("input", (event) => event.target.closest("#decide") && tryLater());
board.addEventListener("submit", (event) => {
  event.preventDefault();
  decide();
});
document.addEventListener("keydown", (event) => {
  const pad = event.target.closest?.("[data-keypad]");
  if (pad && strike(pad, event)) event.preventDefault();
});
arrange();
