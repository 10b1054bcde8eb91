'use strict';
(() => {
  const form = document.getElementById('filters');
  const table = document.getElementById('board');
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].querySelectorAll('th[data-scenario]')];
  const rows = [...body.rows];
  // At least two digits that count, as ratios in the cells; an end beside 1 may look like 1 here.
  const number = (value) => {
    if (!Number.isFinite(value)) return '∞';
    if (value > 0 && value < 1e-4) return '<0.0001';
    if (value > 0 && value < 0.095) return value.toFixed(1 - Math.floor(Math.log10(value)));
    return value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0);
  };

  // #language=go&w.json=2&w.hello=1
  const read = () => new URLSearchParams(location.hash.slice(1));

  const write = () => {
    const chosen = new URLSearchParams();
    for (const select of form.elements) {
      if (select.name && select.value) chosen.set(select.name, select.value);
    }
    for (const head of heads) {
      const weight = Number(head.querySelector('input').value);
      if (weight > 0) chosen.set(`w.${head.dataset.scenario}`, String(weight));
    }
    history.replaceState(null, '', `#${chosen}`);
    show();
  };

  const show = () => {
    const chosen = read();
    const filters = {};
    for (const select of form.elements) {
      if (!select.name) continue;
      select.value = chosen.get(select.name) ?? '';
      // An address may be of another board: what this one has none of filters nothing.
      if (select.selectedIndex < 0) select.value = '';
      filters[select.name] = select.value;
    }
    const weights = new Map();
    const hidden = new Set();
    for (const head of heads) {
      const { scenario, database } = head.dataset;
      const weight = Number(chosen.get(`w.${scenario}`));
      head.querySelector('input').value = weight > 0 ? weight : '';
      if (weight > 0 && Number.isFinite(weight)) weights.set(scenario, weight);
      const out =
        (filters.scenario && filters.scenario !== scenario) ||
        (filters.database && !database.split(' ').includes(filters.database));
      if (out) hidden.add(scenario);
      head.hidden = Boolean(out);
    }
    const composites = new Map();
    for (const row of rows) {
      const cells = [...row.querySelectorAll('td[data-scenario]')];
      for (const cell of cells) cell.hidden = hidden.has(cell.dataset.scenario);
      row.hidden = ['language', 'kind'].some(
        (key) => filters[key] && filters[key] !== row.dataset[key],
      );
      composites.set(row, composite(cells, weights));
    }
    document.getElementById('empty').hidden =
      rows.some((row) => !row.hidden) && heads.some((head) => !head.hidden);
    const weighted = weights.size > 0;
    document.getElementById('composite').hidden = !weighted;
    for (const row of rows) {
      const cell = row.querySelector('.composite');
      const found = composites.get(row);
      cell.hidden = !weighted;
      cell.textContent = found
        ? `${number(found[1])}x [${number(found[0])}, ${number(found[2])}]`
        : '–';
    }
    const middle = (row) => composites.get(row)?.[1] ?? -Infinity;
    // Without weights in the order in which the page was made.
    const order = weighted ? rows.toSorted((a, b) => middle(b) - middle(a) || 0) : rows;
    body.append(...order);
  };

  // The weighted geometric mean of the low ends, the middles and the high ends.
  const composite = (cells, weights) => {
    const logs = [0, 0, 0];
    // Beside the largest, so that no sum is too large or too small to be held.
    const most = Math.max(...weights.values());
    let total = 0;
    for (const cell of cells) {
      const weight = (weights.get(cell.dataset.scenario) ?? 0) / most;
      if (!weight) continue;
      if (!cell.dataset.ratio) return null;
      JSON.parse(cell.dataset.ratio).forEach((end, at) => {
        logs[at] += weight * Math.log(end ?? Infinity);
      });
      total += weight;
    }
    return total ? logs.map((log) => Math.exp(log / total)) : null;
  };

  form.addEventListener('change', write);
  table.tHead.addEventListener('change', write);
  addEventListener('hashchange', show);
  show();
})();
