// SPDX-License-Identifier: Apache-2.0
'use strict';
const REFRESH_MILLIS = 5000;
const SHOWN_AT_FIRST = 20;
const FOUND_AT_MOST = 100;
const LINES = 8;
const toggled = new Map();
const wholeLists = new Set();
const answers = new Map();
let wanted = '';
let latest = null;

const {byId, element, percent, tile, stamp} = heddle;

function amount(resource, units) {
  if (resource !== 'memory-mb') return String(units);
  return units >= 10240 ? (units / 1024).toFixed(0) + ' GiB' : units + ' MiB';
}

function width(part) {
  return Math.max(0, Math.min(1, part)) * 100 + '%';
}

function colour(resource) {
  return resource === 'memory-mb' ? 'memory' : resource === 'vcores' ? 'cpu' : '';
}

function bar(entry) {
  const track = element('div', 'track ' + colour(entry.dominantResource));
  for (const [name, part] of [['wanted', entry.demandShare], ['held', entry.dominantShare]]) {
    const piece = element('i', name);
    piece.style.width = width(part);
    track.append(piece);
  }
  if (entry.fairShare > 0) {
    const fair = element('i', 'fair');
    fair.style.left = 'min(' + width(entry.fairShare) + ', 100% - 3px)';
    track.append(fair);
  }
  return track;
}

function figures(entry) {
  const parts = [
    percent(entry.dominantShare) + (entry.dominantResource ? ' of ' + entry.dominantResource : ''),
    'fair ' + percent(entry.fairShare),
    'asks for ' + percent(entry.demandShare),
    'weight ' + Number(entry.weight.toPrecision(4)),
    entry.runningContainers + ' running, ' + entry.pendingContainers + ' waiting'
  ];
  return element('div', 'figures', parts.join(' \u00b7 '));
}

function isOpen(entry) {
  return toggled.has(entry.path) ? toggled.get(entry.path) : entry.kind === 'queue';
}

function row(entry, depth) {
  const item = element('li', 'entry ' + entry.kind);
  item.setAttribute('role', 'treeitem');
  item.setAttribute('aria-level', String(depth + 1));
  const label = element('div', 'label');
  label.style.setProperty('--depth', depth);
  if (entry.children.length > 0) {
    const fold = element('button', '', isOpen(entry) ? '\u2212' : '+');
    fold.setAttribute('aria-expanded', String(isOpen(entry)));
    fold.setAttribute('aria-label', 'What is below ' + entry.name);
    fold.addEventListener('click', () => {
      toggled.set(entry.path, !isOpen(entry));
      draw();
    });
    label.append(fold);
  }
  label.append(element('span', 'name', entry.name));
  if (entry.kind !== 'application') label.append(element('span', 'kind', entry.kind + ', ' + entry.order));
  if (entry.obstacle) label.append(element('span', 'obstacle', 'cannot be served: ' + entry.obstacle));
  else if (entry.blocked) label.append(element('span', 'kind', 'waits for its turn'));
  if (entry.kind === 'application' && (entry.pendingContainers > 0 || entry.runningContainers <= 1)) {
    const why = element('button', 'ask', 'why does it wait?');
    why.setAttribute('aria-label', 'Why does ' + entry.name + ' wait?');
    why.addEventListener('click', () => ask(entry.name));
    label.append(why);
  }
  item.append(label, bar(entry), figures(entry));
  if (answers.has(entry.name)) item.append(explanation(answers.get(entry.name), depth));
  return item;
}

async function ask(application) {
  if (answers.delete(application)) {
    draw();
    return;
  }
  try {
    const answer = await fetch('v1/applications/' + encodeURIComponent(application) + '/why', {cache: 'no-store', credentials: 'same-origin'});
    const body = await answer.json();
    answers.set(application, answer.ok ? body.reasons.map(reason => reason.text) : [body.error.message]);
  } catch (failure) {
    answers.set(application, ['No answer: ' + failure.message]);
  }
  draw();
}

function explanation(texts, depth) {
  const list = element('ul', 'why');
  list.style.setProperty('--depth', depth);
  for (const text of texts) list.append(element('li', '', text));
  return list;
}

function matches(entry) {
  return entry.name.toLowerCase().includes(wanted);
}

function found(entry, depth, into) {
  const own = matches(entry);
  const before = into.length;
  const below = [];
  for (const child of entry.children) found(child, depth + 1, below);
  if (own || below.length > 0) into.push(row(entry, depth), ...below);
  return into.length > before;
}

function rows(entry, depth, into) {
  into.push(row(entry, depth));
  if (!isOpen(entry)) return into;
  const shown = wholeLists.has(entry.path) ? entry.children : entry.children.slice(0, SHOWN_AT_FIRST);
  for (const child of shown) rows(child, depth + 1, into);
  const left = entry.children.length - shown.length;
  if (left > 0) into.push(rest(entry, left, depth + 1));
  return into;
}

function rest(entry, left, depth) {
  const item = element('li', 'entry');
  item.setAttribute('role', 'treeitem');
  item.setAttribute('aria-level', String(depth + 1));
  const label = element('div', 'label');
  label.style.setProperty('--depth', depth);
  const more = element('button', '', 'and ' + left + ' more');
  more.addEventListener('click', () => {
    wholeLists.add(entry.path);
    draw();
  });
  label.append(more);
  item.append(label);
  return item;
}

function draw() {
  const tiles = [
    tile(latest.jainIndex.toFixed(3), "Jain's fairness index of the users that wait"),
    tile(String(latest.nodes), latest.reservedNodes > 0 ? 'nodes, ' + latest.reservedNodes + ' reserved' : 'nodes')
  ];
  for (const [resource, total] of Object.entries(latest.capacity)) {
    const used = latest.usage[resource] || 0;
    tiles.push(tile(
      percent(total > 0 ? used / total : 0), resource + ': ' + amount(resource, used) + ' of ' + amount(resource, total)));
  }
  byId('cluster').replaceChildren(...tiles);
  let shown = [];
  if (wanted) {
    found(latest.root, 0, shown);
    byId('found').textContent = shown.length === 0 ? 'No queue, user or application has this name' : '';
    if (shown.length > FOUND_AT_MOST) {
      byId('found').textContent = 'The first ' + FOUND_AT_MOST + ' of ' + shown.length + ' lines';
      shown = shown.slice(0, FOUND_AT_MOST);
    }
  } else {
    byId('found').textContent = '';
    shown = rows(latest.root, 0, []);
  }
  byId('tree').replaceChildren(...shown);
  const warnings = latest.configuration.warnings;
  byId('warnings').hidden = warnings.length === 0;
  byId('warnings').querySelector('summary').textContent = warnings.length + ' warnings about ' + latest.configuration.source;
  byId('warnings').querySelector('ul').replaceChildren(...warnings.map(text => element('li', '', text)));
  const problem = latest.configuration.problem;
  byId('problem').hidden = !problem;
  byId('problem').textContent = problem
    ? 'The configuration was changed and refused; the one of ' + stamp(latest.configuration.loadedAtMillis)
      + ' is still in force. ' + problem
    : '';
}

function lines(samples) {
  const depthOf = path => path.split('.').length;
  const most = new Map();
  for (const sample of samples) {
    for (const [path, share] of Object.entries(sample.shares)) most.set(path, Math.max(most.get(path) || 0, share));
  }
  const used = [...most.keys()].filter(path => most.get(path) > 0);
  const paths = used.length > 0 ? used : [...most.keys()];
  const level = paths.some(path => depthOf(path) === 2) ? 2 : 1;
  return paths.filter(path => depthOf(path) === level).sort((a, b) => most.get(b) - most.get(a)).slice(0, LINES).sort();
}

const overTime = heddle.chart(byId('chart'), {
  title: 'Dominant share of each queue', unit: 'share of the cluster', top: 1,
  format: percent, tick: value => (value * 100).toFixed(0) + ' %',
  ranges: [['10 min', 600000], ['1 h', 3600000], ['all', Infinity]], first: 2
});

function drawHistory(samples) {
  byId('over-time').hidden = samples.length < 2;
  if (samples.length < 2) return;
  overTime.show(lines(samples).map(path => ({
    label: path,
    ends: true,
    points: samples.filter(sample => sample.shares[path] !== undefined)
      .map(sample => [sample.atMillis, Math.min(1, sample.shares[path])])
  })));
}

async function refreshHistory() {
  try {
    const answer = await fetch('v1/history', {cache: 'no-store', credentials: 'same-origin'});
    if (answer.ok) drawHistory((await answer.json()).samples);
  } catch (failure) {
    byId('over-time').hidden = true;
  }
}

byId('search').addEventListener('input', event => {
  wanted = event.target.value.trim().toLowerCase();
  if (latest) draw();
});

async function refresh() {
  try {
    const answer = await fetch('v1/scheduler', {cache: 'no-store', credentials: 'same-origin'});
    const body = await answer.json();
    if (!answer.ok) throw new Error(body.error.message);
    latest = body;
    draw();
    await refreshHistory();
    byId('when').textContent = 'As of ' + stamp(body.takenAtMillis);
  } catch (failure) {
    byId('when').textContent = 'No answer at ' + stamp(Date.now()) + ': ' + failure.message;
  }
  setTimeout(refresh, REFRESH_MILLIS);
}

refresh();
