
'use strict';
const REFRESH_MILLIS = 2000;
const COLOURS = 6;
const byId = id => document.getElementById(id);
/* By id, also of frameworks that have left since: the chart goes on to show them. */
const names = new Map();
let latest = null;

function element(tag, className, content) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (content instanceof Node) made.append(content);
  else if (content !== undefined) made.textContent = content;
  return made;
}

function rows(table, items, cells, nothing) {
  const body = byId(table).tBodies[0];
  body.replaceChildren();
  for (const item of items) {
    const row = element('tr');
    for (const [content, className] of cells(item)) row.append(element('td', className, content));
    body.append(row);
  }
  if (items.length === 0) {
    const cell = element('td', 'none', nothing);
    cell.colSpan = byId(table).tHead.rows[0].cells.length;
    body.append(element('tr', '', cell));
  }
}

const percent = part => (part * 100).toFixed(part > 0 && part < 0.1 ? 1 : 0) + ' %';
const memory = mib => mib >= 10240 ? (mib / 1024).toFixed(0) + ' GiB' : Math.round(mib) + ' MiB';
const resources = amount => +amount.cpus.toFixed(2) + ' CPU, ' + memory(amount.mem);
const seconds = value => value >= 120 ? Math.round(value / 60) + ' min' : Math.round(value) + ' s';

const two = value => String(value).padStart(2, '0');
const clock = time => two(time.getHours()) + ':' + two(time.getMinutes()) + ':' + two(time.getSeconds());

/* Local time with its zone, as on the scheduler's pages: 2026-11-23 01:12:33 UTC+1. */
function stamp(millis) {
  const time = new Date(millis);
  const minutes = -time.getTimezoneOffset();
  const rest = Math.abs(minutes) % 60;
  const offset = (minutes < 0 ? '\u2212' : '+') + Math.floor(Math.abs(minutes) / 60) + (rest ? ':' + two(rest) : '');
  return time.getFullYear() + '-' + two(time.getMonth() + 1) + '-' + two(time.getDate()) + ' ' + clock(time) + ' UTC'
      + (minutes === 0 ? '' : offset);
}

function track(used, offered, total) {
  const bar = element('div', 'track');
  const left = total > 0 ? Math.min(1, used / total) : 0;
  const more = total > 0 ? Math.min(1 - left, offered / total) : 0;
  for (const [className, from, part] of [['', 0, left], ['offered', left, more]]) {
    const piece = element('i', className);
    piece.style.left = from * 100 + '%';
    piece.style.width = part * 100 + '%';
    bar.append(piece);
  }
  return bar;
}

function tiles(data) {
  const shown = [
    [data.frameworks.filter(one => one.connected).length + ' of ' + data.frameworks.length, 'frameworks connected'],
    [data.tasks_total, 'tasks'],
    [data.offers.length, 'outstanding offers'],
    [data.containers, 'containers held'],
    [data.agents.filter(one => one.active).length + ' of ' + data.agents.length, 'agents usable'],
    [resources(data.cluster), 'in the cluster']
  ];
  byId('tiles').replaceChildren(...shown.map(([value, label]) => {
    const tile = element('div', 'tile');
    tile.append(element('b', '', String(value)), element('span', '', label));
    return tile;
  }));
}

function chart(data) {
  const history = data.history;
  const space = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(space, 'svg');
  svg.setAttribute('viewBox', '0 0 1000 100');
  svg.setAttribute('preserveAspectRatio', 'none');
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', 'Dominant share of each framework over time');
  const draw = (name, d) => {
    const path = document.createElementNS(space, 'path');
    path.setAttribute('class', name);
    path.setAttribute('d', d);
    svg.append(path);
  };
  for (const y of [0, 50, 100]) draw('grid', 'M0 ' + y + 'H1000');
  const times = history.times;
  const first = times.length ? times[0] : 0;
  const span = times.length ? Math.max(1, times[times.length - 1] - first) : 1;
  byId('legend').replaceChildren();
  Object.keys(history.shares).forEach((id, index) => {
    const points = history.shares[id]
        .map((share, i) => [(times[i] - first) / span * 1000, 100 - 100 * share])
        .map(([x, y], i) => (i ? 'L' : 'M') + x.toFixed(1) + ' ' + y.toFixed(1)).join('');
    draw('line c' + index % COLOURS, points);
    byId('legend').append(element('span', 'key c' + index % COLOURS), names.get(id) || 'one that has left', ' ');
  });
  byId('times').replaceChildren(...[0, 0.5, 1].map(part => element('span', '', clock(new Date(data.now - span * (1 - part))))));
  byId('span').textContent = seconds(span / 1000);
  byId('chart').replaceChildren(svg);
}

function reveal(title, text) {
  byId('sandbox').hidden = false;
  byId('sandbox-title').textContent = title;
  byId('files').replaceChildren();
  byId('content').textContent = text;
  byId('sandbox').scrollIntoView({block: 'nearest'});
}

async function browse(path) {
  reveal('Sandbox ' + path, '');
  const answer = await fetch('files/browse?path=' + encodeURIComponent(path));
  if (!answer.ok) {
    byId('content').textContent = await answer.text();
    return;
  }
  byId('files').replaceChildren(...(await answer.json()).map(file => {
    const button = element('button', '', file.path.split('/').pop() + (file.mode.startsWith('d') ? '/' : ''));
    button.addEventListener('click', () => file.mode.startsWith('d') ? browse(file.path) : read(file.path));
    const line = element('li', '', button);
    line.append(' ' + file.size + ' bytes');
    return line;
  }));
}

async function read(path) {
  const answer = await fetch('files/read?offset=0&length=65536&path=' + encodeURIComponent(path));
  byId('content').textContent = answer.ok ? (await answer.json()).data || '(empty)' : await answer.text();
}

function opener(name, label, action) {
  const button = element('button', '', name);
  button.setAttribute('aria-label', label);
  button.addEventListener('click', action);
  return button;
}

const state = one => one.state.replace('TASK_', '').toLowerCase();

function tasks(data) {
  const wanted = byId('search').value.toLowerCase();
  const matches = one => (one.id + ' ' + one.framework + ' ' + one.agent + ' ' + one.state)
      .toLowerCase().includes(wanted);
  const found = data.tasks.filter(matches);
  byId('found').textContent = wanted || data.tasks.length < data.tasks_total
      ? found.length + ' shown of ' + data.tasks_total : '';
  rows('tasks', found, one => [
    [one.id], [one.framework], [one.agent, 'w'], [state(one), 'w'], [resources(one.resources)],
    [opener('open', 'Sandbox of ' + one.id, () => browse(one.sandbox))]
  ], 'No tasks.');
  rows('ended', data.ended.filter(matches), one => {
    const views = element('span');
    if (one.output) views.append(opener('show', 'Output of ' + one.id,
        () => reveal('End of the output of ' + one.id, one.output)), ' ');
    if (one.sandbox) views.append(opener('open', 'Sandbox of ' + one.id, () => browse(one.sandbox)));
    return [[one.id], [one.framework], [one.agent, 'w'], [state(one), 'w'], [one.message, 'text'],
      [seconds(one.ago_seconds) + ' ago', 'n w'], [views, 'w']];
  }, 'No task has ended since this bridge began to lead.');
}

function show(data) {
  latest = data;
  data.frameworks.forEach(one => names.set(one.id, one.name));
  byId('when').textContent = 'as of ' + stamp(data.now) + ', up ' + seconds(data.up_seconds);
  byId('warnings').replaceChildren(...data.warnings.map(warning => element('p', 'banner', warning)));
  tiles(data);
  chart(data);
  rows('frameworks', data.frameworks, one => [
    [one.name + (one.connected ? '' : ' (disconnected)')], [one.roles.join(', ')], [one.user],
    [percent(one.share), 'n'], [one.tasks, 'n'], [one.offers, 'n'], [one.accepted, 'n'], [one.declined, 'n'],
    [one.expired, 'n'], [one.suppressed ? 'none (suppressed)' : one.asks]
  ], 'No framework is subscribed.');
  rows('offers', data.offers, one => [
    [one.id], [one.framework], [one.agent], [resources(one.resources) + (one.only_short ? ', short tasks only' : '')],
    [seconds(one.age_seconds), 'n']
  ], 'No outstanding offers.');
  byId('wanted-back').hidden = data.inverse.length === 0;
  rows('inverse', data.inverse, one => [
    [one.id], [one.framework], [one.agent || 'any'], [resources(one.resources)],
    [one.left_seconds > 0 ? seconds(one.left_seconds) : 'due', 'n']
  ], '');
  tasks(data);
  rows('reasons', Object.entries(data.reasons), ([reason, times]) => [[reason], [times, 'n']], 'All offers were used.');
  rows('agents', data.agents, one => [
    [one.hostname], [one.state, one.active ? '' : 'bad'],
    [track(one.used.cpus, one.offered.cpus, one.total.cpus)], [track(one.used.mem, one.offered.mem, one.total.mem)],
    [one.containers, 'n'], [one.limits]
  ], 'YARN has no running nodes.');
}

async function refresh() {
  const problem = byId('problem');
  try {
    const answer = await fetch('console/data', {headers: {Accept: 'application/json'}});
    if (!answer.ok) throw new Error('the bridge answers ' + answer.status);
    show(await answer.json());
    problem.hidden = true;
  } catch (error) {
    problem.textContent = 'This page is out of date: ' + error.message;
    problem.hidden = false;
  }
  setTimeout(refresh, REFRESH_MILLIS);
}

byId('search').addEventListener('input', () => latest && tasks(latest));
byId('sandbox-close').addEventListener('click', () => { byId('sandbox').hidden = true; });
refresh();
