// Calls out what happens at the table: by a voice of this machine and by short tones. Both are off
// until somebody switches them on, and stay as they were left.

const MOST_AT_ONCE = 3; // After a pause the latest is told, not the whole evening.

// Each sound: tones of frequency (Hz), start (s), length (s), loudness (0 to 1).
const SOUNDS = {
  result: [[440, 0, 0.12, 0.12]],
  deckel: [[1250, 0, 0.05, 0.16], [980, 0.07, 0.09, 0.14]],
  ask: [[520, 0, 0.14, 0.12], [690, 0.18, 0.2, 0.12]],
  out: [[660, 0, 0.12, 0.12], [495, 0.14, 0.2, 0.12]],
  ruling: [[392, 0, 0.2, 0.14], [392, 0.26, 0.28, 0.14]],
  milestone: [[392, 0, 0.16, 0.14], [523, 0.18, 0.16, 0.14], [659, 0.36, 0.4, 0.14]],
  schock_aus: [
    [523, 0, 0.12, 0.18], [659, 0.13, 0.12, 0.18], [784, 0.26, 0.12, 0.18], [1047, 0.39, 0.7, 0.2],
  ],
};

export class Caller {
  #lang;
  #heard;
  #told = new Set();
  #audio = null;
  #changed;

  // `seq`: number of the last entry when the page was made; what came before is never called out.
  // `changed` is called when what `state` says may have changed by itself.
  constructor(lang, seq, changed) {
    this.#lang = lang;
    this.#heard = seq;
    this.#changed = changed;
    globalThis.speechSynthesis?.addEventListener?.("voiceschanged", changed);
    this.unlock();
  }

  // Returns the calls that have not been made yet, each once: by number of the entry, and by what
  // it tells, so that neither a reconnection nor a second telling of the same makes another.
  fresh(lines) {
    const calls = [...lines].map((line) => ({ ...line.dataset, text: line.textContent.trim() }));
    const fresh = calls.filter((call) => Number(call.seq) > this.#heard && !this.#told.has(call.key));
    for (const call of calls) {
      this.#heard = Math.max(this.#heard, Number(call.seq));
      this.#told.add(call.key);
    }
    return fresh.slice(-MOST_AT_ONCE);
  }

  startAfresh(seq) {
    this.#heard = seq;
    this.#told.clear();
  }

  call({ sound, text }) {
    if (this.#isOn("sounds")) this.#play(sound);
    const voice = this.#voice();
    if (this.#isOn("voice") && voice) {
      const words = new SpeechSynthesisUtterance(text);
      words.voice = voice;
      words.lang = voice.lang;
      speechSynthesis.speak(words);
    }
  }

  // `off`, `on`, `waiting` (the browser wants a tap before it makes a noise) or `missing` (this
  // machine has no voice of the page's language).
  state(name) {
    if (!this.#isOn(name)) return "off";
    if (name === "voice" && !this.#voice()) return "missing";
    const touched = navigator.userActivation?.hasBeenActive ?? true;
    return touched || this.#audio?.state === "running" ? "on" : "waiting";
  }

  toggle(name) {
    const on = !this.#isOn(name);
    localStorage.setItem(`schockauge.${name}`, on ? "on" : "off");
    if (!on && name === "voice") globalThis.speechSynthesis?.cancel();
    this.unlock();
  }

  // Browsers let a page make a noise only after somebody has touched it, or when they are started
  // so; whether tones may be heard tells it for the voice as well.
  unlock() {
    if (!this.#isOn("sounds") && !this.#isOn("voice")) return;
    if (this.#audio === null) {
      this.#audio = new AudioContext();
      this.#audio.addEventListener("statechange", this.#changed);
    }
    this.#audio.resume();
  }

  #isOn(name) {
    return localStorage.getItem(`schockauge.${name}`) === "on";
  }

  // A voice of this machine: others would send the words over the network.
  #voice() {
    const voices = globalThis.speechSynthesis?.getVoices() ?? [];
    return voices.find((voice) => voice.localService && voice.lang.startsWith(this.#lang));
  }

  #play(name) {
    this.unlock();
    const now = this.#audio.currentTime;
    for (const [frequency, start, length, loudness] of SOUNDS[name] ?? []) {
      const tone = this.#audio.createOscillator();
      const volume = this.#audio.createGain();
      tone.type = "triangle";
      tone.frequency.value = frequency;
      volume.gain.setValueAtTime(loudness, now + start);
      volume.gain.exponentialRampToValueAtTime(0.001, now + start + length);
      tone.connect(volume).connect(this.#audio.destination);
      tone.start(now + start);
      tone.stop(now + start + length);
    }
  }
}
