// The page of health: fetched anew every few seconds; says so when nobody answers any more.
import { swap } from "./swap.js";

const EVERY_MS = 5000;

const url = document.body.dataset.boardUrl;
const connection = document.getElementById("connection");

async function renew() {
  try {
    const response = await fetch(url, { cache: "no-store" });
    if (!response.ok) throw new Error(`status ${response.status}`);
    const next = document.createElement("main");
    next.innerHTML = await response.text();
    swap(next);
    connection.hidden = true;
  } catch {
    connection.hidden = false;
  }
  setTimeout(renew, EVERY_MS);
}

setTimeout(renew, EVERY_MS);
