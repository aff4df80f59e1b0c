// SPDX-License-Identifier: Apache-2.0
'use strict';
const REFRESH_MILLIS = 5000;
const SHOWN_AT_FIRST = 20;
const SHOWN_MORE = 200;
const FOUND_AT_MOST = 100;
const LINES = 8;
const toggled = new Map();
/* How many are shown below a queue or user, where more were asked for. */
const shownBelow = new Map();
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

/* Of which resource it has the largest part, or wants it while it has nothing. */
function dominant(entry) {
  if (entry.dominantResource) return entry.dominantResource;
  const part = ([resource, units]) => units / (latest.capacity[resource] || Infinity);
  const parts = Object.entries(entry.demand).sort((a, b) => part(b) - part(a));
  return parts.length > 0 ? parts[0][0] : '';
}

function bar(entry) {
  const track = element('div', 'track ' + colour(dominant(entry)));
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

/* To one of the ResourceManager's own pages. */
function link(path, text) {
  const made = element('a', 'name', text);
  made.href = path;
  return made;
}

function figures(entry) {
  const parts = [
    percent(entry.dominantShare) + (entry.dominantResource ? ' of ' + entry.dominantResource : ''),
    'fair ' + percent(entry.fairShare),
    'asks for ' + percent(entry.demandShare),
    'weight ' + Number(entry.weight.toPrecision(4)),
    entry.runningContainers + ' running, ' + entry.pendingContainers + ' waiting containers'
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
  item.dataset.path = entry.path;
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
  label.append(entry.kind === 'application' ? link('/cluster/app/' + entry.name, entry.name) : element('span', 'name', entry.name));
  if (entry.kind !== 'application') label.append(element('span', 'kind', entry.kind + ', ' + entry.order));
  else label.append(element('span', 'kind', [entry.title, entry.user, ...entry.tags].filter(Boolean).join(', ')));
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
    answers.set(application, answer.ok ? body.reasons : [{text: body.error.message}]);
  } catch (failure) {
    answers.set(application, [{text: 'No answer: ' + failure.message}]);
  }
  draw();
}

function explanation(reasons, depth) {
  const list = element('ul', 'why');
  list.style.setProperty('--depth', depth);
  for (const reason of reasons) {
    const line = element('li', '', reason.text);
    if (reason.wayOut) line.append(element('div', 'way-out', 'Way out: ' + reason.wayOut));
    list.append(line);
  }
  return list;
}

// ---- tables ----

const held = (amounts, resource) => (amounts && amounts[resource]) || 0;
const reserved = node => node.reservedFor || node.promisedTo;

function queueColumns(resources, labelled) {
  return [
    {label: 'Queue', className: 'text', value: row => row.path, cell: row => {
      const made = element('button', '', row.path);
      made.type = 'button';
      made.title = 'Show its users and applications';
      made.addEventListener('click', () => showIn(row).catch(noAnswer));
      return made;
    }},
    {label: 'Share', value: row => row.dominantShare, cell: row => {
      const made = element('span', '', percent(row.dominantShare));
      made.append(bar(row));
      return made;
    }},
    {label: 'Fair', className: 'minor', title: 'the share that would be fair now', value: row => row.fairShare, cell: row => percent(row.fairShare)},
    {label: 'Steady', className: 'minor', title: 'the share by weights, if all queues were busy', value: row => row.steadyShare,
      cell: row => percent(row.steadyShare)},
    ...resources.flatMap(resource => [
      {label: resource, title: 'used', value: row => held(row.usage, resource), cell: row => amount(resource, held(row.usage, resource))},
      {label: 'min', className: 'minor', title: resource + ': the guarantee', value: row => held(row.minimum, resource),
        cell: row => held(row.minimum, resource) ? amount(resource, row.minimum[resource]) : '-'},
      {label: 'max', className: 'minor', title: resource + ': the limit', value: row => held(row.maximum, resource),
        cell: row => row.maximum && row.maximum[resource] !== undefined ? amount(resource, row.maximum[resource]) : '-'}
    ]),
    {label: 'Masters', className: 'text minor', title: 'what ApplicationMasters use of what they may use',
      value: row => held(row.mastersUsed, resources[0]), cell: row => mastersText(row, resources)},
    {label: 'Reserved', className: 'minor', title: 'on nodes, for large containers', value: row => held(row.reserved, resources[0]),
      cell: row => held(row.reserved, resources[0]) ? amount(resources[0], row.reserved[resources[0]]) : '-'},
    {label: 'Weight', className: 'minor', value: row => row.weight, cell: row => String(Number(row.weight.toPrecision(4)))},
    {label: 'Applications', value: row => row.applications, cell: row => String(row.applications)},
    {label: 'Users', title: 'that have applications', value: row => row.users || 0, cell: row => String(row.users || 0)},
    {label: 'Running', title: 'containers', value: row => row.runningContainers, cell: row => String(row.runningContainers)},
    {label: 'Waiting', title: 'containers', value: row => row.pendingContainers, cell: row => String(row.pendingContainers)},
    ...(labelled ? [{label: 'On nodes with a label', className: 'text long minor', cell: row => labelTexts(row, resources)}] : [])
  ];
}

/* 2 GiB of 4 GiB, 2 of 4 */
function mastersText(row, resources) {
  const parts = resources.filter(resource => held(row.mastersUsed, resource) > 0 || held(row.mastersLimit, resource) > 0)
    .map(resource => amount(resource, held(row.mastersUsed, resource))
      + (held(row.mastersLimit, resource) > 0 ? ' of ' + amount(resource, row.mastersLimit[resource]) : ''));
  return parts.join(', ') || '-';
}

/* gpu: 16 GiB memory-mb, 2 yarn.io/gpu (guaranteed 4, at most 6) */
function labelTexts(row, resources) {
  const texts = [];
  for (const [name, label] of Object.entries(row.nodeLabels || {})) {
    const parts = resources.filter(resource => label.total[resource] > 0).map(resource => {
      const terms = [];
      if (label.guaranteed[resource]) terms.push('guaranteed ' + amount(resource, label.guaranteed[resource]));
      if (label.limit[resource] !== undefined) terms.push('at most ' + amount(resource, label.limit[resource]));
      return amount(resource, held(label.used, resource)) + ' ' + resource + (terms.length > 0 ? ' (' + terms.join(', ') + ')' : '');
    });
    if (name !== '') texts.push(name + ': ' + parts.join(', '));
  }
  return texts.join('; ');
}

let queueTable = null;
let asTable = false;
/* What the tree does not have, by path. */
let limits = new Map();

function queues(entry, into) {
  if (entry.kind !== 'queue') return into;
  if (matches(entry)) into.push({...entry, ...limits.get(entry.path)});
  for (const child of entry.children) queues(child, into);
  return into;
}

function drawQueueTable() {
  if (!queueTable) {
    queueTable = heddle.table(byId('queue-table'), {caption: 'Queues', key: row => row.path,
      columns: queueColumns(Object.keys(latest.capacity), queues(latest.root, []).some(row => row.nodeLabels)), empty: 'No queue has this name.'});
  }
  queueTable.show(queues(latest.root, []));
}

function choose(table) {
  asTable = table;
  byId('as-tree').setAttribute('aria-pressed', String(!table));
  byId('as-table').setAttribute('aria-pressed', String(table));
  byId('queue-tree').hidden = table;
  byId('queue-table').hidden = !table;
  if (latest) draw();
  if (table) refreshLimits().catch(noAnswer);
}

async function refreshLimits() {
  if (!asTable) return;
  const answer = await fetch('v1/queues', {cache: 'no-store', credentials: 'same-origin'});
  if (!answer.ok) return;
  limits = new Map((await answer.json()).queues.map(row => [row.path, row]));
  if (asTable) drawQueueTable();
}

/* The tree with one queue opened. */
async function showIn(queue) {
  if (wanted) {
    wanted = '';
    byId('search').value = '';
    await load();
  }
  let path = '';
  for (const name of queue.path.split('.')) {
    path = path ? path + '.' + name : name;
    toggled.set(path, true);
  }
  for (const user of queue.children) toggled.set(user.path, true);
  choose(false);
  const line = [...byId('tree').children].find(item => item.dataset.path === queue.path);
  if (!line) return;
  line.scrollIntoView();
  if (line.querySelector('button')) line.querySelector('button').focus();
}

byId('as-tree').addEventListener('click', () => choose(false));
byId('as-table').addEventListener('click', () => choose(true));

let nodeTable = null;

async function drawNodes() {
  if (!byId('nodes').open) return;
  const answer = await fetch('v1/nodes', {cache: 'no-store', credentials: 'same-origin'});
  if (!answer.ok) return;
  const resources = Object.keys(latest.capacity);
  if (!nodeTable) {
    nodeTable = heddle.table(byId('node-table'), {caption: 'Nodes', key: row => row.id, sort: [2 + resources.length, true],
      columns: [
        {label: 'Node', className: 'text', value: row => row.id, cell: row => link('/cluster/nodes', row.id)},
        {label: 'Label', className: 'text', value: row => row.label, cell: row => row.label || '-'},
        ...resources.map(resource => ({label: resource, title: 'used of total', value: row => held(row.used, resource),
          cell: row => amount(resource, held(row.used, resource)) + ' of ' + amount(resource, held(row.total, resource))})),
        {label: 'Reserved for', className: 'text', value: row => reserved(row) || '', cell: row => row.reservedFor
          ? link('/cluster/app/' + row.reservedFor, row.reservedFor)
          : row.promisedTo ? 'preemption for ' + row.promisedTo : '-'},
        {label: 'Containers', value: row => row.containers, cell: row => String(row.containers)}
      ], empty: 'The cluster has no node.'});
  }
  nodeTable.show((await answer.json()).nodes);
}

let preemptionTable = null;

function drawPreemptions() {
  byId('preemptions').querySelector('summary').textContent = 'Preemptions: '
    + latest.preemptions.filter(one => !one.outcome).length + ' under way, ' + latest.preemptions.length + ' shown';
  if (!byId('preemptions').open) return;
  if (!preemptionTable) {
    preemptionTable = heddle.table(byId('preemption-table'), {caption: 'Preemptions, the newest first',
      key: row => row.beneficiary + row.node + row.dueMillis, sort: [0, true], columns: [
        {label: '#', value: row => row.at, cell: row => String(row.at)},
        {label: 'For', className: 'text long', value: row => row.application, cell: row => {
          const made = element('span', '', row.beneficiary + ', ' + row.reason + ': ');
          made.append(link('/cluster/app/' + row.application, row.application));
          return made;
        }},
        {label: 'Node', className: 'text', value: row => row.node, cell: row => row.node},
        {label: 'Containers', className: 'text long', cell: row => row.victims.map(victim => victim.container
          + (victim.applicationMaster ? ' (ApplicationMaster)' : '') + ' of ' + victim.queue + ', ' + victim.user + ': ' + victim.fate).join('; ')},
        {label: 'Result', className: 'text long', value: row => row.outcome, cell: row => row.outcome || 'under way, ' + row.terms}
      ], empty: 'Nothing has been preempted since the ResourceManager started.'});
  }
  preemptionTable.show(latest.preemptions.map((one, at) => ({...one, at: at + 1})));
}

async function drawConfiguration() {
  if (!byId('configuration').open) return;
  const answer = await fetch('v1/config', {cache: 'no-store', credentials: 'same-origin'});
  if (!answer.ok) return;
  const body = await answer.json();
  byId('configuration-source').textContent = body.source + ', in force since ' + stamp(body.loadedAtMillis);
  byId('changes').replaceChildren(...body.changes.slice().reverse().map(change => {
    const line = element('li', '', stamp(change.atMillis)
      + (change.differences.length === 0 ? ': first configuration of this ResourceManager' : ':'));
    for (const difference of change.differences) line.append(element('code', '', difference));
    return line;
  }));
}

for (const [id, show] of [['nodes', drawNodes], ['preemptions', drawPreemptions], ['configuration', drawConfiguration]]) {
  byId(id).addEventListener('toggle', () => { if (latest) show(); });
}

/* As the scheduler's own answer to find=. */
function matches(entry) {
  return [entry.path, entry.user, entry.title || '', ...entry.tags || []].some(name => name.toLowerCase().includes(wanted));
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
  const shown = entry.children.slice(0, shownBelow.get(entry.path) || SHOWN_AT_FIRST);
  for (const child of shown) rows(child, depth + 1, into);
  const ofUser = entry.children.length > 0 && entry.children[0].kind === 'application';
  const left = (ofUser ? entry.applications : entry.children.length) - shown.length;
  if (left > 0) into.push(rest(entry, shown.length, left, depth + 1));
  return into;
}

function rest(entry, shown, left, depth) {
  const item = element('li', 'entry');
  item.setAttribute('role', 'treeitem');
  item.setAttribute('aria-level', String(depth + 1));
  const label = element('div', 'label');
  label.style.setProperty('--depth', depth);
  const more = element('button', '', 'and ' + left + ' more');
  if (left > SHOWN_MORE) more.title = 'Shows the next ' + SHOWN_MORE;
  more.addEventListener('click', () => {
    shownBelow.set(entry.path, shown + SHOWN_MORE);
    load().catch(noAnswer);
  });
  label.append(more);
  item.append(label);
  return item;
}

function delayText(millis) {
  return millis < 10000 ? (millis / 1000).toFixed(1) + ' s' : heddle.span(millis);
}

const count = (number, what) => number + ' ' + what + (number === 1 ? '' : 's');

/* How much waits, and the commonest reason, which is that of one application. */
function drawWaiting(waiting) {
  const head = byId('waiting');
  head.classList.toggle('some', waiting.containers > 0);
  if (waiting.containers === 0) {
    head.replaceChildren(element('strong', '', 'Nothing waits'));
    return;
  }
  const made = [element('strong', '', count(waiting.containers, 'container') + (waiting.containers === 1 ? ' waits' : ' wait')),
    element('span', 'soft', ', asked for by ' + count(waiting.applications, 'application'))];
  for (const reason of waiting.commonest) {
    const line = element('p', '', (waiting.containers === reason.containers ? 'All of them' : reason.containers + ' of them')
      + ' wait for the same reason, for example ');
    line.append(link('/cluster/app/' + reason.example, reason.example), ': ' + reason.text);
    made.push(line, element('p', 'way-out', 'Way out: ' + reason.wayOut));
  }
  head.replaceChildren(...made);
}

async function refreshWaiting() {
  const answer = await fetch('v1/waiting', {cache: 'no-store', credentials: 'same-origin'});
  byId('waiting').hidden = !answer.ok;
  if (answer.ok) drawWaiting(await answer.json());
}

function draw() {
  const tiles = [
    tile(String(latest.nodes), latest.reservedNodes > 0 ? 'nodes, ' + latest.reservedNodes + ' reserved' : 'nodes')
  ];
  for (const [resource, total] of Object.entries(latest.capacity)) {
    const used = latest.usage[resource] || 0;
    tiles.push(tile(
      percent(total > 0 ? used / total : 0), resource + ': ' + amount(resource, used) + ' of ' + amount(resource, total)));
  }
  const delay = latest.allocationDelay;
  if (delay) tiles.push(tile(delayText(delay.medianMillis), 'median wait for a container; 95 % came within ' + delayText(delay.p95Millis)));
  tiles.push(tile(latest.jainIndex.toFixed(3), "how even the shares of waiting users are (Jain's index, 0 to 1)"));
  byId('cluster').replaceChildren(...tiles);
  drawPreemptions();
  let shown = [];
  if (asTable) {
    byId('found').textContent = '';
    drawQueueTable();
  } else if (wanted) {
    found(latest.root, 0, shown);
    byId('found').textContent = shown.length === 0 ? 'No path, user, name, tag or id of an application contains this' : '';
    if (shown.length > FOUND_AT_MOST) {
      byId('found').textContent = 'The first ' + FOUND_AT_MOST + ' lines; type more of the name to find others';
      shown = shown.slice(0, FOUND_AT_MOST);
    }
  } else {
    byId('found').textContent = '';
    shown = rows(latest.root, 0, []);
  }
  byId('tree').replaceChildren(...shown);
  const warnings = latest.configuration.warnings;
  byId('warnings').hidden = warnings.length === 0;
  byId('warnings').querySelector('summary').textContent = (warnings.length === 1 ? '1 warning' : warnings.length + ' warnings')
    + ' about ' + latest.configuration.source;
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

function drawHistory(samples, events) {
  byId('over-time').hidden = samples.length < 2;
  if (samples.length < 2) return;
  overTime.show(lines(samples).map(path => ({
    label: path,
    ends: true,
    points: samples.filter(sample => sample.shares[path] !== undefined)
      .map(sample => [sample.atMillis, Math.min(1, sample.shares[path])])
  })), events);
}

async function refreshHistory() {
  try {
    const answer = await fetch('v1/history', {cache: 'no-store', credentials: 'same-origin'});
    if (answer.ok) {
      const body = await answer.json();
      drawHistory(body.samples, body.events);
    }
  } catch (failure) {
    byId('over-time').hidden = true;
  }
}

byId('search').addEventListener('input', event => {
  wanted = event.target.value.trim().toLowerCase();
  if (latest) draw();
  load().catch(noAnswer);
});

/* The tree without the applications that are not shown: a cluster may have ten thousand. */
function tree() {
  if (wanted) return 'v1/scheduler?applications=' + FOUND_AT_MOST + '&find=' + encodeURIComponent(wanted);
  const below = [...shownBelow].map(([path, number]) => '&below=' + number + ':' + encodeURIComponent(path));
  return 'v1/scheduler?applications=' + SHOWN_AT_FIRST + below.join('');
}

function noAnswer(failure) {
  byId('when').textContent = 'No answer at ' + stamp(Date.now()) + ': ' + failure.message;
}

async function load() {
  const address = tree();
  const answer = await fetch(address, {cache: 'no-store', credentials: 'same-origin'});
  const body = await answer.json();
  if (!answer.ok) throw new Error(body.error.message);
  if (latest && address !== tree()) return; // something else is shown by now, and has been asked for
  latest = body;
  draw();
}

async function refresh() {
  try {
    await load();
    await refreshWaiting();
    await refreshLimits();
    await refreshHistory();
    await drawNodes();
    await drawConfiguration();
    byId('when').textContent = 'As of ' + stamp(latest.takenAtMillis);
  } catch (failure) {
    noAnswer(failure);
  }
  setTimeout(refresh, REFRESH_MILLIS);
}

refresh();
