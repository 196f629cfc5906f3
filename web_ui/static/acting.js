// Sends what somebody does, and shows why it is refused.
import { settings } from "./live.js";

const SIGN_IN_HELPS = ["sign_in", "wrong_role"];

let token = null; // Proves that a request comes from this page; fetched with the first one.

// Sends an action; `section` holds the button and a place for the reason (`.refusal`). Returns
// whether it was carried out.
export async function act(action, section, button = null) {
  const refusal = section.querySelector(".refusal");
  if (button) button.disabled = true;
  refusal.hidden = true;
  const { error } = await send(settings.actionsUrl, action);
  if (button) button.disabled = false;
  if (error) refuse(refusal, error);
  return !error;
}

// Shows a reason: `code` and `text`.
export function refuse(refusal, { code, text }) {
  refusal.textContent = text;
  if (SIGN_IN_HELPS.includes(code)) refusal.append(" ", signInLink());
  refusal.hidden = false;
}

// Returns what the table answers: what came of it, or `error` with `code` and `text`.
export async function send(url, action) {
  try {
    const answer = await post(url, action);
    if (answer.error?.code !== "bad_token") return answer;
    token = null; // Somebody signed in or out in another tab.
    return await post(url, action);
  } catch {
    return { error: { code: "no_answer", text: settings.noAnswer } };
  }
}

async function post(url, action) {
  if (token === null) {
    token = (await (await fetch(settings.sessionUrl, { cache: "no-store" })).json()).csrf;
  }
  const response = await fetch(`${url}?lang=${settings.lang}`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-CSRF-Token": token },
    body: JSON.stringify(action),
  });
  return response.json();
}

function signInLink() {
  const link = document.createElement("a");
  link.href = settings.signinUrl;
  link.textContent = settings.signIn;
  return link;
}
