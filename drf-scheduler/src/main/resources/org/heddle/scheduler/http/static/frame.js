// SPDX-License-Identifier: Apache-2.0
'use strict';
/* What all sections share: elements, numbers, times, charts, tables and the theme. */
const heddle = (() => {
  const YEAR_MILLIS = 365 * 86400000;
  const PAGE_ROWS = 50;
  const NEAR_MILLIS = 10000;
  const charts = new Set();

  const byId = id => document.getElementById(id);

  function element(tag, className, text) {
    const made = document.createElement(tag);
    if (className) made.className = className;
    if (text !== undefined) made.textContent = text;
    return made;
  }

  // ---- numbers and times ----

  // Made once: toLocaleString and localeCompare with options would make one for each call.
  const HUNDREDTHS = new Intl.NumberFormat('en', {minimumFractionDigits: 2, maximumFractionDigits: 2});
  const ALPHABET = new Intl.Collator('en', {numeric: true});

  function percent(part) {
    const shown = part * 100;
    return (shown >= 10 || shown === 0 ? shown.toFixed(0) : shown.toPrecision(2)) + ' %';
  }

  /* Two decimals and a scale, so that a column of them aligns: ['12.30', 'k']. */
  function scaled(value) {
    const size = Math.abs(value);
    if (size === 0) return ['0.00', ''];
    for (const [least, scale] of [[1e12, 'T'], [1e9, 'G'], [1e6, 'M'], [1e5, 'k']]) {
      if (size >= least * 0.999995) return [(value / (least === 1e5 ? 1e3 : least)).toFixed(2), scale];
    }
    if (size >= 0.00995) return [HUNDREDTHS.format(value), ''];
    for (const [least, scale] of [[1e-3, 'm'], [1e-6, '\u00b5'], [1e-9, 'n']]) {
      if (size >= least * 0.999) return [(value / least).toFixed(2), scale];
    }
    return ['0.00', ''];
  }

  const compact = value => scaled(Number(value)).join('\u2009').trim();

  /* A number for a table cell; the exact value is its title. */
  function number(value) {
    const [digits, scale] = scaled(Number(value));
    const made = element('span', '', digits);
    made.title = String(value);
    made.append(element('span', 'scale', scale));
    return made;
  }

  function span(millis) {
    const seconds = millis / 1000;
    if (seconds < 100) return Math.round(seconds) + ' s';
    const minutes = seconds / 60;
    if (minutes < 100) return Math.round(minutes) + ' min';
    if (minutes < 2880) return (minutes / 60).toFixed(1) + ' h';
    return millis > YEAR_MILLIS ? '> 1 y' : (minutes / 1440).toFixed(1) + ' d';
  }

  const two = value => String(value).padStart(2, '0');
  const day = time => time.getFullYear() + '-' + two(time.getMonth() + 1) + '-' + two(time.getDate());
  const clock = time => two(time.getHours()) + ':' + two(time.getMinutes()) + ':' + two(time.getSeconds());

  function zone(time) {
    const minutes = -time.getTimezoneOffset();
    const sign = minutes < 0 ? '\u2212' : '+';
    const rest = Math.abs(minutes) % 60;
    return 'UTC' + (minutes === 0 ? '' : sign + Math.floor(Math.abs(minutes) / 60) + (rest ? ':' + two(rest) : ''));
  }

  /* Local time with its zone: 2026-11-23 01:12:33 UTC+1. */
  function stamp(millis) {
    const time = new Date(millis);
    return day(time) + ' ' + clock(time) + ' ' + zone(time);
  }

  function shortStamp(millis) {
    const time = new Date(millis);
    return day(time) + ' ' + clock(time);
  }

  function tile(value, label, exact) {
    const made = element('div', 'tile');
    const shown = element('b', '', value);
    if (exact !== undefined) shown.title = String(exact);
    made.append(shown, element('span', '', label));
    return made;
  }

  // ---- theme ----

  const colour = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

  function theme() {
    const button = byId('theme');
    const names = ['system', 'light', 'dark'];
    const root = document.documentElement;
    const now = () => root.dataset.theme || 'system';
    const show = () => { button.textContent = 'Theme: ' + now(); };
    button.hidden = false;
    button.addEventListener('click', () => {
      const next = names[(names.indexOf(now()) + 1) % names.length];
      if (next === 'system') delete root.dataset.theme;
      else root.dataset.theme = next;
      try {
        localStorage.setItem('heddle.theme', next);
      } catch (failure) {
        /* Storage is off: the choice holds for this page. */
      }
      show();
      for (const one of charts) one.redraw();
    });
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => { for (const one of charts) one.redraw(); });
    show();
  }

  // ---- charts ----

  /* Without decimals if no tick needs them. */
  function ticks(splits) {
    const texts = splits.map(compact);
    const whole = texts.every(text => /\.00/.test(text));
    return whole ? texts.map(text => text.replace('.00', '')) : texts;
  }

  function tickText(splits, step) {
    return splits.map(seconds => {
      const time = new Date(seconds * 1000);
      if (step >= 86400 || (time.getHours() === 0 && time.getMinutes() === 0 && time.getSeconds() === 0)) return day(time).slice(5);
      return step < 60 ? clock(time) : clock(time).slice(0, 5);
    });
  }

  /*
   * A chart of steps over time in a figure. options: title, unit (of the axis), format(value), top (fixed top of the axis),
   * ranges: [[label, millis]], onRange(millis) if the caller loads data for a range; else the chart shows a part of its data.
   * show(series, events): [{label, points: [[millis, value]]}], points in order of time; events [{atMillis, text}] are marked.
   */
  function chart(figure, options) {
    const head = element('div', 'chart-head');
    const title = element('h2', '', options.title);
    const ranges = element('div', 'ranges');
    ranges.setAttribute('role', 'group');
    ranges.setAttribute('aria-label', 'Time range of ' + options.title);
    const readout = element('div', 'readout');
    const plot = element('div', 'plot');
    plot.tabIndex = 0;
    plot.setAttribute('role', 'img');
    head.append(title, ranges);
    figure.replaceChildren(head, readout, plot);
    let drawn = null;
    let series = [];
    let data = [[]];
    let events = [];
    let range = options.ranges ? options.ranges[options.first || 0][1] : Infinity;

    for (const [label, millis] of options.ranges || []) {
      const button = element('button', '', label);
      button.type = 'button';
      button.setAttribute('aria-pressed', String(millis === range));
      button.addEventListener('click', () => {
        range = millis;
        for (const other of ranges.children) other.setAttribute('aria-pressed', String(other === button));
        if (options.onRange) options.onRange(millis);
        redraw();
      });
      ranges.append(button);
    }

    function read(index) {
      const parts = [element('span', '', index === null || data[0].length === 0 ? 'now' : stamp(data[0][index] * 1000))];
      series.forEach((one, at) => {
        const values = data[at + 1];
        const value = values[index === null ? values.length - 1 : index];
        const part = element('span');
        const key = element('i', 'key');
        key.style.background = colour('--c' + at % 8);
        part.append(key, one.label + ' ', element('b', '', value === null || value === undefined ? '-' : options.format(value)));
        parts.push(part);
      });
      const time = index === null || data[0].length === 0 ? null : data[0][index] * 1000;
      const near = events.filter(event => time !== null && Math.abs(event.atMillis - time) <= NEAR_MILLIS);
      for (const event of near.length > 0 || time !== null ? near : events.slice(-1)) {
        parts.push(element('span', '', '\u2506 ' + stamp(event.atMillis) + ': ' + event.text));
      }
      readout.replaceChildren(...parts);
    }

    /* A dashed line at each event. */
    function mark(u) {
      u.ctx.save();
      u.ctx.strokeStyle = colour('--soft');
      u.ctx.lineWidth = devicePixelRatio;
      u.ctx.setLineDash([4 * devicePixelRatio, 4 * devicePixelRatio]);
      for (const event of events) {
        const x = u.valToPos(event.atMillis / 1000, 'x', true);
        if (x < u.bbox.left || x > u.bbox.left + u.bbox.width) continue;
        u.ctx.beginPath();
        u.ctx.moveTo(x, u.bbox.top);
        u.ctx.lineTo(x, u.bbox.top + u.bbox.height);
        u.ctx.stroke();
      }
      u.ctx.restore();
    }

    function joined() {
      const times = [...new Set(series.flatMap(one => one.points.map(point => point[0])))].sort((a, b) => a - b);
      const columns = series.map(one => {
        const values = new Array(times.length).fill(null);
        let at = 0;
        let last = null;
        times.forEach((time, index) => {
          while (at < one.points.length && one.points[at][0] <= time) last = one.points[at++][1];
          values[index] = at === one.points.length && last !== null && time > one.points[at - 1][0] && one.ends ? null : last;
        });
        return values;
      });
      return [times.map(time => time / 1000), ...columns];
    }

    const bounds = () => {
      const times = data[0];
      const last = times[times.length - 1];
      return {min: Math.max(times[0], last - range / 1000), max: last};
    };

    function redraw() {
      if (drawn) drawn.destroy();
      drawn = null;
      if (data[0].length < 2) {
        plot.replaceChildren(element('p', 'nothing', options.nothing || 'No history yet.'));
        plot.setAttribute('aria-label', options.title + ': no history yet');
        readout.replaceChildren();
        return;
      }
      plot.replaceChildren();
      const axis = {stroke: colour('--soft'), grid: {stroke: colour('--line'), width: 1}, ticks: {stroke: colour('--line'), width: 1},
        font: '11px system-ui, sans-serif', labelFont: '11px system-ui, sans-serif'};
      drawn = new uPlot({
        width: Math.max(200, plot.clientWidth), height: options.height || 190,
        legend: {show: false},
        cursor: {drag: {x: true, y: false, setScale: true}, points: {size: 7}},
        scales: {
          x: {time: true, range: (u, min, max) => [min, max]},
          y: {range: (u, min, max) => [0, options.top || (max > 0 ? max * 1.08 : 1)]}
        },
        axes: [
          {...axis, values: (u, splits, at, space, step) => tickText(splits, step), space: 70, size: 28},
          {...axis, values: (u, splits) => options.tick ? splits.map(options.tick) : ticks(splits), size: 62,
            label: options.unit, labelSize: 18, labelGap: 0, space: 34}
        ],
        series: [{}, ...series.map((one, at) => ({
          label: one.label, stroke: colour('--c' + at % 8), width: 2, paths: uPlot.paths.stepped({align: 1}), points: {show: false}
        }))],
        hooks: {draw: [mark], setCursor: [u => read(u.cursor.idx === undefined ? null : u.cursor.idx)]}
      }, data, plot);
      drawn.setScale('x', bounds());
      read(null);
      const span0 = shortStamp(data[0][0] * 1000) + ' to ' + shortStamp(data[0][data[0].length - 1] * 1000);
      plot.setAttribute('aria-label', options.title + ' from ' + span0 + '. Arrow keys move the read-out.');
    }

    plot.addEventListener('keydown', event => {
      const move = {ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10}[event.key];
      if (!drawn || (move === undefined && event.key !== 'Escape')) return;
      event.preventDefault();
      if (event.key === 'Escape') {
        drawn.setScale('x', bounds());
        drawn.setCursor({left: -10, top: -10});
        readout.removeAttribute('role');
        return;
      }
      const now = drawn.cursor.idx;
      const next = Math.max(0, Math.min(data[0].length - 1, (now === null || now === undefined ? data[0].length - 1 : now) + move));
      readout.setAttribute('role', 'status');
      drawn.setCursor({left: drawn.valToPos(data[0][next], 'x'), top: 20});
    });
    new ResizeObserver(() => { if (drawn) drawn.setSize({width: Math.max(200, plot.clientWidth), height: options.height || 190}); }).observe(plot);

    const made = {
      redraw,
      title: text => { title.textContent = text; },
      /* Keeps the reader's zoom and cursor unless the lines are others. */
      show(newSeries, newEvents) {
        events = newEvents || [];
        const same = drawn && newSeries.length === series.length && newSeries.every((one, at) => one.label === series[at].label);
        const before = same ? {...drawn.scales.x} : null;
        const old = same ? bounds() : null;
        series = newSeries;
        data = joined();
        if (!same || data[0].length < 2) {
          redraw();
          return;
        }
        drawn.setData(data, false);
        const zoomed = Math.abs(before.max - old.max) > 0.5 || Math.abs(before.min - old.min) > 0.5;
        drawn.setScale('x', zoomed ? {min: before.min, max: before.max} : bounds());
        read(drawn.cursor.idx === undefined ? null : drawn.cursor.idx);
      }
    };
    charts.add(made);
    return made;
  }

  // ---- tables ----

  function compare(one, other) {
    if (typeof one === 'number' && typeof other === 'number') return one - other;
    return ALPHABET.compare(String(one), String(other));
  }

  /*
   * A table that sorts, and shows PAGE_ROWS rows at a time. options: caption, key(row), columns: [{label, title, className,
   * value(row), cell(row), sum(rows)}], sort: [column, descending], rowClass(row), empty (a sentence).
   * value is what sorts; cell (text or element) is what shows; a column without value does not sort.
   */
  function table(into, options) {
    let [sortedBy, descending] = options.sort || [0, false];
    let rows = [];
    let first = 0;
    const wrapper = element('div', 'table');
    const made = element('table');
    const caption = element('caption', 'unseen', options.caption);
    const thead = element('thead');
    const headRow = element('tr');
    const tbody = element('tbody');
    const tfoot = element('tfoot');
    const pager = element('div', 'pager');
    const nothing = element('p', 'soft', options.empty || 'Nothing to show.');
    const back = element('button', '', 'Previous');
    const on = element('button', '', 'Next');
    const where = element('span');
    where.setAttribute('role', 'status');
    back.type = on.type = 'button';
    back.addEventListener('click', () => { first -= PAGE_ROWS; draw(); });
    on.addEventListener('click', () => { first += PAGE_ROWS; draw(); });
    pager.append(back, on, where);
    options.columns.forEach((column, at) => {
      const cell = element('th', column.className || '');
      cell.scope = 'col';
      if (column.title) cell.title = column.title;
      if (!column.value) {
        cell.textContent = column.label;
      } else {
        const button = element('button', '', column.label);
        button.type = 'button';
        button.addEventListener('click', () => {
          descending = sortedBy === at ? !descending : (column.className || '').includes('text') || at === 0 ? false : true;
          sortedBy = at;
          first = 0;
          draw();
        });
        cell.append(button);
      }
      headRow.append(cell);
    });
    thead.append(headRow);
    made.append(caption, thead, tbody, tfoot);
    wrapper.append(made);
    into.replaceChildren(wrapper, nothing, pager);

    function draw() {
      const value = options.columns[sortedBy].value;
      const sorted = value ? rows.map(row => [value(row), row]).sort((a, b) => (descending ? -1 : 1) * compare(a[0], b[0])
        || compare(options.key(a[1]), options.key(b[1]))).map(pair => pair[1]) : rows;
      first = Math.max(0, Math.min(first, Math.floor(Math.max(0, sorted.length - 1) / PAGE_ROWS) * PAGE_ROWS));
      [...headRow.children].forEach((cell, at) => {
        if (!options.columns[at].value) return;
        if (at === sortedBy) cell.setAttribute('aria-sort', descending ? 'descending' : 'ascending');
        else cell.removeAttribute('aria-sort');
        cell.firstChild.textContent = options.columns[at].label + (at === sortedBy ? descending ? ' \u2193' : ' \u2191' : '');
      });
      const focused = tbody.contains(document.activeElement) ? document.activeElement.closest('tr').dataset.key : null;
      tbody.replaceChildren(...sorted.slice(first, first + PAGE_ROWS).map(row => {
        const line = element('tr', options.rowClass ? options.rowClass(row) : '');
        line.dataset.key = options.key(row);
        options.columns.forEach((column, at) => {
          const cell = element(at === 0 ? 'th' : 'td', column.className || '');
          if (at === 0) cell.scope = 'row';
          const shown = column.cell(row);
          cell.append(shown);
          line.append(cell);
        });
        return line;
      }));
      [...headRow.children].forEach((cell, at) => cell.classList.toggle('num',
        tbody.firstChild !== null && tbody.firstChild.children[at].querySelector('.scale') !== null));
      if (focused !== null) {
        const again = [...tbody.children].find(line => line.dataset.key === focused);
        if (again && again.querySelector('button')) again.querySelector('button').focus();
      }
      tfoot.replaceChildren();
      if (options.sums && rows.length > 1) {
        const line = element('tr');
        options.columns.forEach((column, at) => {
          const cell = element(at === 0 ? 'th' : 'td', column.className || '');
          if (at === 0) cell.scope = 'row';
          cell.append(column.sum ? column.sum(rows) : '');
          line.append(cell);
        });
        tfoot.append(line);
      }
      wrapper.hidden = rows.length === 0;
      nothing.hidden = rows.length > 0;
      pager.hidden = rows.length <= PAGE_ROWS;
      back.disabled = first === 0;
      on.disabled = first + PAGE_ROWS >= rows.length;
      where.textContent = (first + 1) + ' to ' + Math.min(first + PAGE_ROWS, rows.length) + ' of ' + rows.length.toLocaleString('en');
    }

    return {
      show(newRows) {
        rows = newRows;
        draw();
      },
      top() { first = 0; }
    };
  }

  theme();
  return {byId, element, percent, compact, number, span, stamp, shortStamp, tile, chart, table, YEAR_MILLIS};
})();
