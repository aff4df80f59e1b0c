
'use strict';
const REFRESH_MILLIS = 5000;
const SHOWN_AT_FIRST = 20;
const toggled = new Map();
const wholeLists = new Set();
let latest = null;

const byId = id => document.getElementById(id);

function element(tag, className, text) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

function percent(part) {
  const shown = part * 100;
  return (shown >= 10 || shown === 0 ? shown.toFixed(0) : shown.toPrecision(2)) + ' %';
}

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

function bar(claim) {
  const track = element('div', 'track ' + colour(claim.dominantResource));
  for (const [name, part] of [['wanted', claim.demandShare], ['held', claim.dominantShare]]) {
    const piece = element('i', name);
    piece.style.width = width(part);
    track.append(piece);
  }
  if (claim.fairShare > 0) {
    const fair = element('i', 'fair');
    fair.style.left = 'min(' + width(claim.fairShare) + ', 100% - 3px)';
    track.append(fair);
  }
  return track;
}

function figures(claim) {
  const parts = [
    percent(claim.dominantShare) + (claim.dominantResource ? ' of ' + claim.dominantResource : ''),
    'fair ' + percent(claim.fairShare),
    'asks for ' + percent(claim.demandShare),
    'weight ' + claim.weight,
    claim.runningContainers + ' running, ' + claim.pendingContainers + ' waiting'
  ];
  return element('div', 'figures', parts.join(' \u00b7 '));
}

function isOpen(claim) {
  return toggled.has(claim.path) ? toggled.get(claim.path) : claim.kind === 'queue';
}

function row(claim, depth) {
  const item = element('li', 'claim ' + claim.kind);
  item.setAttribute('role', 'treeitem');
  item.setAttribute('aria-level', String(depth + 1));
  const who = element('div', 'who');
  who.style.setProperty('--depth', depth);
  if (claim.children.length > 0) {
    const fold = element('button', '', isOpen(claim) ? '\u2212' : '+');
    fold.setAttribute('aria-expanded', String(isOpen(claim)));
    fold.setAttribute('aria-label', 'What is below ' + claim.name);
    fold.addEventListener('click', () => {
      toggled.set(claim.path, !isOpen(claim));
      draw();
    });
    who.append(fold);
  }
  who.append(element('span', 'name', claim.name));
  if (claim.kind !== 'application') who.append(element('span', 'kind', claim.kind + ', ' + claim.order));
  if (claim.blocked) who.append(element('span', 'blocked', 'blocked: nothing it asks for fits'));
  item.append(who, bar(claim), figures(claim));
  return item;
}

function rows(claim, depth, into) {
  into.push(row(claim, depth));
  if (!isOpen(claim)) return into;
  const shown = wholeLists.has(claim.path) ? claim.children : claim.children.slice(0, SHOWN_AT_FIRST);
  for (const child of shown) rows(child, depth + 1, into);
  const left = claim.children.length - shown.length;
  if (left > 0) into.push(rest(claim, left, depth + 1));
  return into;
}

function rest(claim, left, depth) {
  const item = element('li', 'claim');
  const who = element('div', 'who');
  who.style.setProperty('--depth', depth);
  const more = element('button', '', 'and ' + left + ' more');
  more.addEventListener('click', () => {
    wholeLists.add(claim.path);
    draw();
  });
  who.append(more);
  item.append(who);
  return item;
}

function tile(value, label) {
  const made = element('div', 'tile');
  made.append(element('b', '', value), element('span', '', label));
  return made;
}

function draw() {
  const tiles = [
    tile(latest.jainIndex.toFixed(3), "Jain's fairness index of the users who wait"),
    tile(String(latest.nodes), latest.reservedNodes > 0 ? 'nodes, ' + latest.reservedNodes + ' reserved' : 'nodes')
  ];
  for (const [resource, total] of Object.entries(latest.capacity)) {
    const used = latest.usage[resource] || 0;
    tiles.push(tile(
      percent(total > 0 ? used / total : 0), resource + ': ' + amount(resource, used) + ' of ' + amount(resource, total)));
  }
  byId('cluster').replaceChildren(...tiles);
  byId('tree').replaceChildren(...rows(latest.root, 0, []));
  const problem = latest.configuration.problem;
  byId('problem').hidden = !problem;
  byId('problem').textContent = problem
    ? 'The configuration was changed and refused; the one of ' + new Date(latest.configuration.loadedAtMillis).toLocaleString()
      + ' is still in force. ' + problem
    : '';
}

async function refresh() {
  try {
    const answer = await fetch('v1/scheduler', {cache: 'no-store', credentials: 'same-origin'});
    const body = await answer.json();
    if (!answer.ok) throw new Error(body.error.message);
    latest = body;
    draw();
    byId('when').textContent = 'As of ' + new Date(body.takenAtMillis).toLocaleString();
  } catch (failure) {
    byId('when').textContent = 'No answer at ' + new Date().toLocaleTimeString() + ': ' + failure.message;
  }
  setTimeout(refresh, REFRESH_MILLIS);
}

refresh();
