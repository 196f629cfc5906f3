// What the browser tests ask a page: what overlaps, what is cut off, what is hard to read.
// Evaluates to an object of functions.
({
  // Pairs of things that are drawn on each other, and things that leave the screen.
  collisions() {
    const things = [...document.querySelectorAll(
      "h2, .wordmark, .parts, .round, .notice, .who, .marker, .hand > *, .count, .turn-name, " +
      ".throws, .throws-text, .table-dice .die, .table-dice .cup, .said, .hint, .end-role, " +
      ".end-who, .worth, .rounds li, .losers, .qr, .join-url, .join-problem, .seat .discs, " +
      ".leaders tbody th, .leaders tbody td, .leaders thead th",
    )].filter((thing) => seen(thing));
    const boxes = things.map((thing) => drawn(thing));
    const found = [];
    things.forEach((one, i) => {
      const a = boxes[i];
      if (a.left < -1 || a.top < -1 || a.right > innerWidth + 1 || a.bottom > innerHeight + 1) {
        found.push(`${label(one)} leaves the screen`);
      }
      things.slice(i + 1).forEach((other, j) => {
        if (one.contains(other) || other.contains(one)) return;
        const b = boxes[i + 1 + j];
        const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        if (wide > 1 && high > 1) found.push(`${label(one)} on ${label(other)}`);
      });
    });
    return found;

    function seen(thing) {
      const box = thing.getBoundingClientRect();
      if (box.width < 2 || box.height < 2 || thing.classList.contains("unseen")) return false;
      const list = thing.closest(".rounds ol")?.getBoundingClientRect();
      return !list || (box.right <= list.right + 1 && box.bottom <= list.bottom + 1);
    }

    // The Deckel of a row overlap each other and stick out of their own boxes.
    function drawn(thing) {
      const { left, top, right, bottom } = thing.getBoundingClientRect();
      const last = thing.querySelector(":scope > i:last-child .deckel");
      return { left, top, right: last ? last.getBoundingClientRect().right : right, bottom };
    }

    function label(thing) {
      return `${thing.className.baseVal ?? thing.className} "${thing.textContent.trim().slice(0, 20)}"`;
    }
  },

  // Names and figures that do not fit their boxes.
  cut() {
    const things = document.querySelectorAll(
      ".seats .name, .felt .turn-name, .felt .said, .felt .hint, .end .name, .end-said, .count, " +
      ".worth, .leaders .name span, .holdings b, .now .turn-name",
    );
    return [...things]
      .filter((it) => it.scrollWidth > it.clientWidth + 1 || it.scrollHeight > it.clientHeight + 3)
      .filter((it) => getComputedStyle(it).overflow !== "visible")
      .map((it) => `${it.className}: ${it.textContent}`);
  },

  // Of pairs of words and their size of type, those too wide for a box.
  tooWide(selector, words) {
    const box = document.querySelector(selector);
    return words
      .filter(([text, fit]) => {
        box.className = box.className.replace(/fit-\w+/, `fit-${fit}`);
        box.textContent = text;
        return box.scrollWidth > box.clientWidth + 1;
      })
      .map(([text, fit]) => `${fit}: ${text}`);
  },

  // Texts set smaller than so many pixels.
  tiny(least) {
    return [...document.querySelectorAll("#board *")]
      .filter((it) => it.getClientRects().length > 0 && !it.closest("svg"))
      .filter((it) => [...it.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim()))
      .filter((it) => parseFloat(getComputedStyle(it).fontSize) < least - 0.5)
      .map((it) => `${it.className} "${it.textContent.trim()}" ${getComputedStyle(it).fontSize}`);
  },

  // Texts whose contrast with what lies behind them is below the least, by WCAG 2's formula.
  faint(least) {
    const WHITE = { r: 255, g: 255, b: 255, a: 1 };
    const notRead = "svg, option, .said-before, .unseen, :disabled, [aria-disabled=true]";
    const found = [];
    for (const thing of document.querySelectorAll("body *")) {
      const words = [...thing.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
      const seen = thing.checkVisibility({ opacityProperty: true, visibilityProperty: true });
      if (!words || !seen || thing.closest(notRead)) continue;
      const ink = colours(getComputedStyle(thing).color)[0];
      ink.a *= opacity(thing);
      for (const paper of papers(thing)) {
        const ratio = contrast(over(ink, paper), paper);
        if (ratio < least) found.push(`${thing.className} "${thing.textContent.trim()}" ${ratio.toFixed(2)}`);
      }
    }
    return found;

    function colours(css) {
      return [...css.matchAll(/rgba?\(([^)]+)\)/g)].map((m) => {
        const [r, g, b, a = 1] = m[1].split(/[ ,/]+/).filter(Boolean).map(Number);
        return { r, g, b, a };
      });
    }

    // What may lie behind: every colour of a gradient that hides what is under it, below the tints
    // above it; where nothing does, a white wall: a broadcast may show anything.
    function papers(thing) {
      const tints = [];
      for (let up = thing; up; up = up.parentElement) {
        const style = getComputedStyle(up);
        const drawn = colours(style.backgroundImage).filter((c) => c.a > 0.9);
        const flat = colours(style.backgroundColor)[0];
        const base = drawn.length ? drawn : flat.a === 1 ? [flat] : [];
        if (base.length) return base.map((c) => tinted(over(c, WHITE)));
        if (flat.a > 0) tints.push(flat);
      }
      return [tinted(WHITE)];

      function tinted(paper) {
        return tints.reduceRight((under, tint) => over(tint, under), paper);
      }
    }

    function opacity(thing) {
      const through = thing.parentElement ? opacity(thing.parentElement) : 1;
      return through * Number(getComputedStyle(thing).opacity);
    }

    function over(top, under) {
      const mix = (x, y) => x * top.a + y * (1 - top.a);
      return { r: mix(top.r, under.r), g: mix(top.g, under.g), b: mix(top.b, under.b), a: 1 };
    }

    function contrast(x, y) {
      const [a, b] = [light(x), light(y)].sort((m, n) => n - m);
      return (a + 0.05) / (b + 0.05);
    }

    function light({ r, g, b }) {
      const [x, y, z] = [r, g, b].map((v) => v / 255)
        .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
      return 0.2126 * x + 0.7152 * y + 0.0722 * z;
    }
  },
})
