// The overview of a tournament on a phone: follows the hall, remembers whom its owner looks for.
import { run } from "./clock.js";
import { follow } from "./live.js";
import { swap } from "./swap.js";

const NAME = "schockauge.name";

follow(swap);
run();

const field = document.getElementById("search-name");
const asked = new URLSearchParams(location.search).get("name");
if (asked) {
  localStorage.setItem(NAME, asked);
} else if (asked === null && field && localStorage.getItem(NAME)) {
  field.value = localStorage.getItem(NAME);
}
