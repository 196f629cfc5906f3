// Looks into a still and a clip: boxes on and off, zoom, scrubbing, slow motion, picture by picture.

const FRAME_S = 1 / 12; // Clips have about twelve pictures a second.
const ZOOMS = [1, 1.5, 2, 3, 4, 6];
const MOVE = 0.08; // Of the picture's size, by one arrow key.

let zoom = 1;
let centre = { x: 0.5, y: 0.5 }; // In the middle of what is seen, as a part of the picture.
let speed = 1;

function evidence() {
  return document.getElementById("evidence");
}

function draw() {
  const half = 0.5 / zoom;
  const inside = (part) => Math.min(1 - half, Math.max(half, part));
  for (const lens of evidence().querySelectorAll(".lens")) {
    const [x, y] = [inside(centre.x), inside(centre.y)].map((part) => 100 * (0.5 - part * zoom));
    lens.style.setProperty("--zoom", zoom);
    lens.style.transform = `translate(${x}%, ${y}%) scale(${zoom})`;
  }
  const shown = evidence().querySelector(".zoom-shown");
  if (shown) shown.textContent = `${zoom.toLocaleString(document.body.dataset.lang)}×`;
}

function zoomBy(step) {
  const at = ZOOMS.indexOf(zoom) + step;
  zoom = ZOOMS[Math.min(ZOOMS.length - 1, Math.max(0, at))];
  draw();
}

// Zooming in leads to the dice.
function middleOfDice() {
  const boxes = evidence().querySelector(".boxes");
  const dice = [...(boxes?.querySelectorAll("rect") ?? [])].map((rect) => rect.getBBox());
  if (dice.length === 0) return { x: 0.5, y: 0.5 };
  const { width, height } = boxes.viewBox.baseVal;
  const mean = (numbers) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
  return {
    x: mean(dice.map((box) => box.x + box.width / 2)) / width,
    y: mean(dice.map((box) => box.y + box.height / 2)) / height,
  };
}

function showOnly(button) {
  evidence().dataset.showing = button.dataset.show;
  for (const other of evidence().querySelectorAll("[data-show]")) {
    other.setAttribute("aria-pressed", String(other === button));
  }
  film()?.pause();
}

const TOOLS = {
  boxes: (button) => {
    const on = button.getAttribute("aria-pressed") !== "true";
    button.setAttribute("aria-pressed", String(on));
    evidence().classList.toggle("no-boxes", !on);
  },
  in: () => zoomBy(1),
  out: () => zoomBy(-1),
};

// The clip

function film() {
  return evidence()?.querySelector("video");
}

function step(frames) {
  const video = film();
  video.pause();
  video.currentTime = Math.min(video.duration, Math.max(0, video.currentTime + frames * FRAME_S));
}

const FILM = {
  play: () => (film().paused ? play() : film().pause()),
  back: () => step(-1),
  on: () => step(1),
};

function play() {
  const video = film();
  if (video.ended) video.currentTime = 0;
  video.playbackRate = speed;
  video.play();
}

function choose(button) {
  speed = Number(button.dataset.speed);
  film().playbackRate = speed;
  for (const other of evidence().querySelectorAll("[data-speed]")) {
    other.setAttribute("aria-pressed", String(other === button));
  }
}

function tell() {
  const video = film();
  if (!video) return;
  const [at, button] = [document.getElementById("film-at"), document.getElementById("film-play")];
  if (video.duration) at.value = String((1000 * video.currentTime) / video.duration);
  button.textContent = video.paused ? button.dataset.play : button.dataset.pause;
  const shown = video.currentTime.toLocaleString(document.body.dataset.lang, {
    minimumFractionDigits: 1, maximumFractionDigits: 1,
  });
  evidence().querySelector(".film-time").textContent = `${shown} s`;
}

// Begins with the evidence that is shown now; call it again after it was exchanged.
let watched = null;
export function look() {
  if (evidence() === watched) return;
  watched = evidence();
  if (!watched) return;
  [zoom, centre, speed] = [1, middleOfDice(), 1];
  draw();
  const video = film();
  for (const event of ["timeupdate", "seeked", "play", "pause", "ended", "loadedmetadata"]) {
    video?.addEventListener(event, tell);
  }
  watched.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    const { tool, film: control, speed: chosen, show } = button?.dataset ?? {};
    if (tool) TOOLS[tool](button);
    if (control) FILM[control]();
    if (chosen) choose(button);
    if (show) showOnly(button);
  });
  watched.addEventListener("input", (event) => {
    if (event.target.id !== "film-at" || !video.duration) return;
    video.pause();
    video.currentTime = (video.duration * Number(event.target.value)) / 1000;
  });
  for (const stage of watched.querySelectorAll(".stage")) watch(stage);
}

// A stage is moved by dragging or by arrow keys, and zoomed by the wheel or by plus and minus.
function watch(stage) {
  const keys = {
    "+": () => zoomBy(1),
    "-": () => zoomBy(-1),
    ArrowLeft: () => (centre.x -= MOVE),
    ArrowRight: () => (centre.x += MOVE),
    ArrowUp: () => (centre.y -= MOVE),
    ArrowDown: () => (centre.y += MOVE),
  };
  stage.addEventListener("keydown", (event) => {
    if (!keys[event.key] || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    keys[event.key]();
    draw();
  });
  stage.addEventListener("pointermove", (event) => {
    if (!(event.buttons & 1) || zoom === 1) return;
    centre.x -= event.movementX / stage.clientWidth / zoom;
    centre.y -= event.movementY / stage.clientHeight / zoom;
    draw();
  });
  stage.addEventListener("dblclick", (event) => {
    const place = stage.getBoundingClientRect();
    centre.x += ((event.clientX - place.left) / place.width - 0.5) / zoom;
    centre.y += ((event.clientY - place.top) / place.height - 0.5) / zoom;
    zoomBy(1);
  });
}
