// A paper card by tapping: in the order in which the players went out, the last one has lost.
// The lists of the form stay what is sent; the buttons only fill them in.
const card = document.getElementById("card");
const LOSER = "L";

function halves(game) {
  return [1, 2].map((half) => [...game.querySelectorAll(`select[data-half="${half}"]`)]);
}

function playing(game, lists) {
  const inside = [...game.querySelectorAll("[type=checkbox]")].map((box) => box.checked);
  return lists.filter((_, at) => inside[at]);
}

function tap(game, lists, list) {
  const open = playing(game, lists).filter((one) => one.value === "");
  if (list.value !== "" || !open.includes(list)) return;
  const placed = playing(game, lists).length - open.length;
  list.value = open.length === 1 ? LOSER : String(placed + 1);
  const rest = open.filter((one) => one !== list);
  if (rest.length === 1) rest[0].value = LOSER;
  settle(game);
}

// Whoever lost both halves has lost the game; otherwise only one of the two losers can have.
function settle(game) {
  const losers = halves(game).map((lists) => lists.findIndex((one) => one.value === LOSER));
  const choice = game.querySelector("select[name$=loser]");
  if (losers[0] >= 0 && losers[0] === losers[1]) choice.value = String(losers[0]);
  for (const option of choice.options) {
    const possible = option.value === "" || losers.includes(Number(option.value));
    option.hidden = losers.every((one) => one >= 0) && !possible;
  }
  paint(game);
}

function paint(game) {
  halves(game).forEach((lists, at) => {
    const row = game.querySelector(`.taps[data-half="${at + 1}"]`);
    [...row.querySelectorAll("[data-at]")].forEach((button) => {
      const list = lists[Number(button.dataset.at)];
      const text = list.value && list.selectedOptions[0].textContent.trim();
      button.querySelector(".rank").textContent = text;
      button.setAttribute("aria-pressed", String(list.value !== ""));
      button.hidden = !playing(game, lists).includes(list);
    });
  });
}

function prepare(game) {
  halves(game).forEach((lists, at) => {
    const row = document.createElement("div");
    row.className = "taps";
    row.dataset.half = at + 1;
    row.setAttribute("role", "group");
    row.setAttribute("aria-label", card.dataset.tap.replace("#", at + 1));
    const words = document.createElement("p");
    words.textContent = card.dataset.tap.replace("#", at + 1);
    row.append(words);
    lists.forEach((list, number) => {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "deed";
      button.dataset.at = number;
      const rank = document.createElement("b");
      rank.className = "rank";
      button.append(`${list.dataset.name} `, rank);
      button.addEventListener("click", () => tap(game, lists, list));
      row.append(button);
    });
    const again = document.createElement("button");
    again.type = "button";
    again.className = "again";
    again.textContent = card.dataset.again;
    again.addEventListener("click", () => {
      lists.forEach((list) => (list.value = ""));
      settle(game);
    });
    row.append(again);
    game.querySelector("table").before(row);
  });
  game.addEventListener("change", () => settle(game));
  settle(game);
}

for (const game of card.querySelectorAll(".game")) prepare(game);
card.classList.add("by-tapping");
