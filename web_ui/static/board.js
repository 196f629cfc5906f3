// Keeps the page at the table's state: each event of the live stream asks for the board anew
// (many events at once for one fetch), and one tap confirms what the camera was unsure of.
"use strict";

(() => {
  const PAUSE_MS = 80; // Events come in bursts; one fetch shows them all.
  const RETRY_MS = 2000; // After a fetch that failed.
  const REOPEN_MS = 3000; // After a stream the browser has given up.
  const SIGN_IN_HELPS = ["sign_in", "wrong_role"];

  const settings = document.body.dataset;
  const board = document.getElementById("board");
  const connection = document.getElementById("connection");
  let lastSeq = Number(settings.seq);
  let token = null; // Proves that a request comes from this page; fetched with the first one.
  let timer = null;
  let fetching = false;
  let again = false;

  function refreshSoon(delayMs = PAUSE_MS) {
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
      show(await response.text());
    } catch {
      failed = true;
    }
    fetching = false;
    if (failed || again) {
      again = false;
      refreshSoon(failed ? RETRY_MS : PAUSE_MS);
    }
  }

  function show(html) {
    const next = document.createElement("main");
    next.innerHTML = html;
    markChanges(next);
    keepQuestions(next);
    const focused = document.activeElement;
    const scroll = board.querySelector(".log ol")?.scrollTop ?? 0;
    board.replaceChildren(...next.childNodes);
    if (focused && board.contains(focused)) focused.focus({ preventScroll: true });
    const list = board.querySelector(".log ol");
    if (list) list.scrollTop = scroll;
  }

  // Deckel that moved light up, so that the eye finds them.
  function markChanges(next) {
    for (const row of next.querySelectorAll("[data-deckel]")) {
      const before = find(board, row);
      if (before && before.dataset.deckel !== row.dataset.deckel) row.classList.add("changed");
    }
  }

  function find(root, row) {
    return [...root.querySelectorAll("[data-deckel]")].find(
      (other) => other.id === row.id && other.dataset.player === row.dataset.player,
    );
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
    const refusal = section.querySelector(".refusal");
    button.disabled = true;
    refusal.hidden = true;
    const refused = await send({ ...action, by: settings.by });
    if (refused === null) {
      section.removeAttribute("id"); // Decided: the next board shows it no more.
      refreshSoon();
    } else {
      refusal.textContent = refused.text;
      if (SIGN_IN_HELPS.includes(refused.code)) refusal.append(" ", signInLink());
      refusal.hidden = false;
      button.disabled = false;
    }
  }

  // Returns null when the action was carried out, else why not (`code`, `text`).
  async function send(action) {
    try {
      let refused = await post(action);
      if (refused?.code === "bad_token") {
        token = null; // Somebody signed in or out in another tab.
        refused = await post(action);
      }
      return refused;
    } catch {
      return { code: "no_answer", text: settings.noAnswer };
    }
  }

  async function post(action) {
    if (token === null) {
      token = (await (await fetch(settings.sessionUrl, { cache: "no-store" })).json()).csrf;
    }
    const response = await fetch(`${settings.actionsUrl}?lang=${settings.lang}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-CSRF-Token": token },
      body: JSON.stringify(action),
    });
    return response.ok ? null : (await response.json()).error;
  }

  function signInLink() {
    const link = document.createElement("a");
    link.href = settings.signinUrl;
    link.textContent = settings.signIn;
    return link;
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

  // The stream. The browser reconnects by itself and says what it saw last; where it gives up
  // (an answer that is no stream, such as 503), a new one goes on from the same number.

  function open() {
    const stream = new EventSource(`${settings.streamUrl}?after=${lastSeq}`);
    stream.onopen = () => {
      connection.hidden = true;
      refreshSoon();
    };
    stream.onmessage = (event) => {
      lastSeq = Number(event.lastEventId);
      refreshSoon();
    };
    stream.addEventListener("reset", (event) => {
      lastSeq = Number(event.data);
      refreshSoon();
    });
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
})();
