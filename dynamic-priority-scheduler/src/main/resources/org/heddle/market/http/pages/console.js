
'use strict';
const REFRESH_MILLIS = 5000;
const HISTORY_MILLIS = 24 * 3600 * 1000;
const SVG = 'http://www.w3.org/2000/svg';
const WIDTH = 600;
const HEIGHT = 160;
let chosen = null;

const byId = id => document.getElementById(id);

function element(tag, className, text) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

function drawn(tag, attributes, text) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

function decimals(text, most) {
  const number = Number(text);
  if (number !== 0 && Math.abs(number) < 0.001) return number.toPrecision(3);
  return number.toLocaleString('en', {maximumFractionDigits: most});
}

function percent(part) {
  const shown = part * 100;
  return (shown >= 10 || shown === 0 ? shown.toFixed(1) : shown.toPrecision(2)) + ' %';
}

function span(millis) {
  if (millis === null) return '\u221e';
  const minutes = millis / 60000;
  if (minutes < 2) return Math.round(millis / 1000) + ' s';
  if (minutes < 120 && minutes % 60 !== 0) return Math.round(minutes) + ' min';
  return minutes < 2880 ? Math.round(minutes / 60) + ' h' : Math.round(minutes / 1440) + ' d';
}

function tile(value, label) {
  const made = element('div', 'tile');
  made.append(element('b', '', value), element('span', '', label));
  return made;
}

/* points: [[millis, value]]; stepped, because a price and a balance hold until the next one. */
function chart(into, kind, points) {
  const box = byId(into);
  box.className = 'chart ' + kind;
  if (points.length < 2) {
    box.replaceChildren(element('p', '', 'No history yet.'));
    return;
  }
  const from = points[0][0];
  const to = Math.max(points[points.length - 1][0], from + 1);
  const top = Math.max(...points.map(point => point[1]), 1e-9) * 1.1;
  const x = millis => (millis - from) / (to - from) * WIDTH;
  const y = value => HEIGHT - value / top * HEIGHT;
  let path = 'M' + x(points[0][0]).toFixed(1) + ' ' + y(points[0][1]).toFixed(1);
  for (const [millis, value] of points.slice(1)) path += 'H' + x(millis).toFixed(1) + 'V' + y(value).toFixed(1);
  const plane = drawn('svg', {viewBox: '0 0 ' + WIDTH + ' ' + HEIGHT, preserveAspectRatio: 'none', role: 'img',
    'aria-label': kind + ' from ' + new Date(from).toLocaleString() + ' to ' + new Date(to).toLocaleString()});
  for (const part of [0.25, 0.5, 0.75]) {
    plane.append(drawn('line', {class: 'grid', x1: 0, x2: WIDTH, y1: HEIGHT * part, y2: HEIGHT * part}));
  }
  plane.append(drawn('path', {class: 'area', d: path + 'V' + HEIGHT + 'H0Z'}), drawn('path', {class: 'line', d: path}));
  box.replaceChildren(plane);
}

function title(id, what, points) {
  const values = points.map(point => point[1]);
  const range = values.length < 2 ? '' : ', ' + decimals(Math.min(...values), 4) + ' to ' + decimals(Math.max(...values), 4)
    + ', since ' + new Date(points[0][0]).toLocaleString();
  byId(id).textContent = what + range;
}

function cell(label, text, className) {
  const made = element('td', className || '', text);
  made.dataset.label = label;
  return made;
}

function row(account) {
  const made = element('tr', account.name === chosen ? 'chosen' : '');
  const name = element('td');
  const choose = element('button', '', account.name);
  choose.setAttribute('aria-label', 'Balance of ' + account.name);
  choose.addEventListener('click', () => { chosen = account.name; refresh(); });
  name.append(choose);
  const share = cell('Share', percent(account.share), 'share');
  const bar = element('i');
  bar.style.width = Math.max(0, Math.min(1, account.share)) * 100 + '%';
  share.append(bar);
  made.append(name, cell('Budget', decimals(account.budget, 3)), cell('Spending rate', decimals(account.rate, 6)), share,
    cell('Used', String(account.usedContainers)), cell('Pending', String(account.pendingContainers)),
    cell('State', account.state.replace('-', ' '), 'state ' + account.state), cell('Lasts', span(account.runwayMillis)));
  return made;
}

function clusterRow(cluster) {
  const made = element('tr');
  made.append(element('td', '', cluster.name + (cluster.here ? ' (here)' : '')));
  if (cluster.problem) {
    const problem = element('td', '', cluster.problem);
    problem.colSpan = 2;
    made.append(problem);
  } else {
    made.append(element('td', '', decimals(cluster.price, 6)),
      element('td', '', decimals(cluster.capacity, 1)));
  }
  return made;
}

async function ask(path) {
  const answer = await fetch(path, {cache: 'no-store', credentials: 'same-origin', headers: {Accept: 'application/json'}});
  const body = await answer.json();
  if (!answer.ok) throw new Error(body.error ? body.error.message : 'status ' + answer.status);
  return body;
}

async function draw() {
  const [status, accounts, clusters, me] =
    await Promise.all([ask('v1/status'), ask('v1/accounts'), ask('v1/clusters'), ask('v1/whoami')]);
  const since = 'from=' + (status.nowMillis - HISTORY_MILLIS) + '&points=300';
  const prices = (await ask('v1/prices?' + since)).prices.map(point => [point.startMillis, Number(point.price)]);
  prices.push([status.nowMillis, Number(status.price)]);
  byId('cluster').textContent = status.cluster;
  byId('tiles').replaceChildren(
    tile(decimals(status.price, 6), 'price: the sum of the rates of all accounts that pay'),
    tile(decimals(status.used, 1) + ' of ' + decimals(status.capacity, 1), 'slots in use'),
    tile(decimals(status.moneySupply, 2), 'credits in all accounts'),
    tile(decimals(status.revenue, 2), 'credits charged so far'),
    tile(span(Math.max(0, status.nextEpochMillis - status.nowMillis)), 'until epoch ' + (status.epoch + 1)));
  title('price-title', 'Price', prices);
  chart('price-chart', 'price', prices);
  const seen = accounts.accounts;
  if (!seen.some(account => account.name === chosen)) chosen = seen.length > 0 ? seen[0].name : null;
  document.querySelector('#accounts tbody').replaceChildren(...seen.map(row));
  byId('none').hidden = seen.length > 0;
  byId('accounts').hidden = seen.length === 0;
  if (chosen !== null) {
    const path = 'v1/accounts/' + encodeURIComponent(chosen) + '/balances?' + since;
    const balances = (await ask(path)).balances.map(point => [point.atMillis, Number(point.balance)]);
    if (balances.length > 0) balances.push([status.nowMillis, balances[balances.length - 1][1]]);
    title('balance-title', 'Balance of ' + chosen, balances);
    chart('balance-chart', 'balance', balances);
  }
  byId('elsewhere').hidden = clusters.clusters.length < 2;
  document.querySelector('#clusters tbody').replaceChildren(...clusters.clusters.map(clusterRow));
  byId('user').textContent = me.name ? 'You are ' + me.name + '.' : 'You are not signed in.';
  byId('problem').hidden = !status.storeProblem;
  byId('problem').textContent = 'The ledger cannot be written: ' + status.storeProblem;
  byId('when').textContent = 'As of ' + new Date(status.nowMillis).toLocaleString();
}

let drawing = false;

async function refresh() {
  if (drawing) return;
  drawing = true;
  try {
    await draw();
  } catch (failure) {
    byId('when').textContent = 'No answer at ' + new Date().toLocaleTimeString() + ': ' + failure.message;
  } finally {
    drawing = false;
  }
}

refresh();
setInterval(refresh, REFRESH_MILLIS);
