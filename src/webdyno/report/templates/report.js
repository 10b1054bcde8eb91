// Draws the charts when they come into view, in the colours of the page's theme, and lets the
// legend hide servers. All text from the run reaches the page as data, never as markup.
"use strict";
(() => {
  const held = document.getElementById("webdyno-data");
  const data = held ? JSON.parse(held.textContent) : null;
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const views = new Map(); // element of a chart -> its Vega view

  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

  function theme() {
    const muted = colour("--muted"), line = colour("--line"), font = colour("--sans");
    return {
      background: null,
      font,
      view: { stroke: null, continuousHeight: 240 },
      axis: {
        labelColor: muted, titleColor: muted, gridColor: line, domainColor: line, tickColor: line,
        labelFontSize: 12, titleFontSize: 12, titleFontWeight: "normal", titlePadding: 8,
      },
      legend: { labelColor: muted, labelFontSize: 12 },
      range: { category: [0, 1, 2, 3, 4, 5, 6, 7].map((i) => colour(`--c${i}`)) },
    };
  }

  // The page holds columns, Vega wants rows: [entry, xs, ys] -> {entry, x, y} for each point.
  function rows(kind, set, columns) {
    const names = data.specs[kind].usermeta.columns?.[set] ?? ["x", "y"];
    return columns.flatMap(([entry, ...values]) =>
      values[0].map((_, i) => {
        const row = { entry: data.entries[entry] };
        values.forEach((column, c) => { row[names[c]] = column[i]; });
        return row;
      }));
  }

  const tip = document.createElement("div");
  tip.className = "tip";
  tip.hidden = true;
  document.body.append(tip);

  // Beside the pointer, within the window. Text only: names come from the run.
  function tell(event, datum, fields) {
    tip.hidden = !datum;
    if (!datum) return;
    while (datum.datum) datum = datum.datum; // the cell around a point holds the point
    const title = document.createElement("strong");
    title.textContent = datum.entry;
    const lines = fields.filter(([, field]) => datum[field] !== undefined).map(([label, field]) => {
      const line = document.createElement("div");
      const value = document.createElement("b");
      value.textContent = typeof datum[field] === "number"
        ? datum[field].toLocaleString("en", { maximumSignificantDigits: 4 }) : datum[field];
      line.append(label, value);
      return line;
    });
    tip.replaceChildren(title, ...lines);
    const { clientX: x, clientY: y } = event, room = 14;
    const left = x + room + tip.offsetWidth > document.documentElement.clientWidth
      ? x - room - tip.offsetWidth : x + room;
    tip.style.left = `${Math.max(4, left)}px`;
    tip.style.top = `${Math.max(4, Math.min(y + room, innerHeight - tip.offsetHeight - 4))}px`;
  }

  window.addEventListener("scroll", () => { tip.hidden = true; }, { passive: true });

  const sectionOf = (element) => Number(element.closest("[data-section]").dataset.section);
  const legendOf = (section) => document.querySelector(`.legend[data-section="${section}"]`);
  const hiddenIn = (section) =>
    [...legendOf(section).querySelectorAll('[aria-pressed="false"]')].map((b) => b.dataset.entry);

  async function draw(element) {
    const section = sectionOf(element), kind = element.dataset.kind;
    const spec = structuredClone(data.specs[kind]);
    spec.datasets = {};
    for (const [set, columns] of Object.entries(data.sections[section][kind])) {
      spec.datasets[set] = rows(kind, set, columns);
    }
    const set = (name, value) => spec.params.filter((p) => p.name === name).forEach((p) => { p.value = value; });
    set("hidden", hiddenIn(section));
    set("few", data.sections[section][kind].rows.every(([, xs]) => xs.length < 4));
    // What has no points would make its scale infinite.
    spec.layer = spec.layer.filter(({ data: of }) => !of?.name || spec.datasets[of.name]?.length);
    if (kind.startsWith("bars-")) {
      const { rows: bars } = data.sections[section][kind];
      spec.height = bars.reduce((sum, [, series]) => sum + 8 + 13 * series.length, 0);
      // Shades tell the bars of an entry apart: a single one needs none.
      if (bars.every(([, series]) => series.length === 1)) spec.layer[0].encoding.opacity = { value: 0.95 };
    }
    views.get(element)?.finalize();
    // `ast`: expressions are interpreted, so that the page's policy may forbid eval.
    const { view } = await window.vegaEmbed(element, spec, {
      mode: "vega-lite", actions: false, ast: true, config: theme(),
      renderer: kind === "latency" ? "svg" : "canvas",
      tooltip: (_, event, item, value) => tell(event, value ? item.datum : null, spec.usermeta.told),
    });
    views.set(element, view);
    element.dataset.drawn = "true";
  }

  const charts = [...document.querySelectorAll(".chart")];
  const drawOnce = (element) => {
    if (element.dataset.drawn || element.closest("[hidden]")) return undefined;
    element.dataset.drawn = "begun";
    return draw(element);
  };

  if (data) {
    const seen = new IntersectionObserver((changes) => {
      changes.filter((c) => c.isIntersecting).forEach((c) => drawOnce(c.target));
    }, { rootMargin: "400px" });
    charts.forEach((element) => seen.observe(element));
    dark.addEventListener("change", () => [...views.keys()].forEach(draw));
    window.addEventListener("beforeprint", () => charts.forEach(drawOnce));
  }

  function update(section) {
    const hidden = hiddenIn(section);
    for (const [element, view] of views) {
      if (sectionOf(element) === section) view.signal("hidden", hidden).runAsync();
    }
  }

  document.querySelectorAll(".legend button").forEach((button) => {
    const all = [...button.parentElement.querySelectorAll("button")];
    const press = (b, on) => b.setAttribute("aria-pressed", String(on));
    button.addEventListener("click", () => {
      press(button, button.getAttribute("aria-pressed") === "false");
      update(sectionOf(button));
    });
    button.addEventListener("dblclick", () => {
      const alone = all.every((b) => b === button || b.getAttribute("aria-pressed") === "false");
      all.forEach((b) => press(b, alone || b === button));
      update(sectionOf(button));
    });
  });

  document.querySelectorAll('[role="tablist"]').forEach((list) => {
    const tabs = [...list.querySelectorAll('[role="tab"]')];
    function select(tab) {
      for (const other of tabs) {
        const on = other === tab;
        other.setAttribute("aria-selected", String(on));
        other.tabIndex = on ? 0 : -1;
        const panel = document.getElementById(other.getAttribute("aria-controls"));
        panel.hidden = !on;
        if (on) panel.querySelectorAll(".chart").forEach(drawOnce);
      }
    }
    tabs.forEach((tab, i) => {
      tab.addEventListener("click", () => select(tab));
      tab.addEventListener("keydown", (event) => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (!step) return;
        const next = tabs[(i + step + tabs.length) % tabs.length];
        next.focus();
        select(next);
      });
    });
  });

  document.querySelectorAll("[data-copy]").forEach((button) => {
    button.addEventListener("click", async () => {
      const text = document.getElementById(button.dataset.copy);
      // A page opened from a file may not be allowed to write to the clipboard: select instead.
      getSelection().selectAllChildren(text);
      try {
        await navigator.clipboard.writeText(text.textContent);
        button.textContent = "Copied";
      } catch {
        button.textContent = "Selected";
      }
    });
  });
})();
