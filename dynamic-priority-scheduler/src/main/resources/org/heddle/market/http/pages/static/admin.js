// SPDX-License-Identifier: Apache-2.0
'use strict';
/* The views of the whole market: overview, queues, incomes, keys and audit. */
heddle.admin = (() => {
  const {byId, element, span, shortStamp, tile, api, account: {isMine, runway, money, number}} = heddle;
  const DAY_MILLIS = 86400000;
  const HOUR_MILLIS = 3600000;
  const MINUTE_MILLIS = 60000;
  let range = DAY_MILLIS;
  let shown = null;
  const AUDIT_ROWS = 200;
  let auditBefore = 0;
  let edited = null;

  const slots = value => Number(value).toLocaleString('en', {maximumFractionDigits: 1});
  const tenths = part => (part * 100).toFixed(1) + ' %';

  // ---- overview ----

  const ranges = [['1 h', HOUR_MILLIS], ['24 h', DAY_MILLIS], ['7 d', 7 * DAY_MILLIS], ['31 d', 31 * DAY_MILLIS]];
  const priceChart = heddle.chart(byId('price-chart'), {
    title: 'Price: the sum of all rates', unit: 'credits', format: money, ranges, first: 1,
    onRange: millis => { range = millis; heddle.refresh(); }
  });
  const revenueChart = heddle.chart(byId('revenue-chart'), {title: 'Revenue: credits charged per hour', unit: 'credits per hour', format: money});

  /* The limit of lost work: what may be lost now, and how long preemption waits until more may be lost. */
  function lostWorkLimit(status) {
    const limit = status.preemptionMaxLostWork;
    if (limit === null) return [];
    const minutes = millis => (millis / MINUTE_MILLIS).toFixed(1);
    const tiles = [tile((100 * limit).toFixed(2) + ' %', 'of all work may be lost: preemption-max-lost-work'),
      tile(minutes(status.preemptionAvailableSlotMillis), 'slot-minutes may be lost now, at most ' + minutes(status.preemptionMostSlotMillis))];
    if (status.preemptionWaiting === 0) return tiles;
    const missing = Math.min(status.preemptionNeededSlotMillis, status.preemptionMostSlotMillis) - status.preemptionAvailableSlotMillis;
    const earned = limit * Number(status.used);
    const soon = missing > 0 && earned > 0 ? ', which may be lost in ' + span(missing / earned) : '';
    return [...tiles, tile(String(status.preemptionWaiting), (status.preemptionWaiting === 1 ? 'application starves' : 'applications starve')
      + ' because of this limit; the first needs ' + minutes(status.preemptionNeededSlotMillis) + ' slot-minutes' + soon)];
  }

  /* What preemption cost: the market counts it, and the scheduler knows what is under way. */
  async function preemption(status) {
    const lost = [
      tile((status.preemptedSlotMillis / HOUR_MILLIS).toFixed(2), 'slot-hours lost in ' + status.preemptedContainers + ' preempted containers'),
      tile(status.usedSlotMillis > 0 ? (100 * status.preemptedSlotMillis / status.usedSlotMillis).toFixed(2) + ' %' : '-', 'of all work was lost'),
      ...lostWorkLimit(status)];
    try {
      const answer = await fetch('/heddle/v1/preemptions', {cache: 'no-store', credentials: 'same-origin'});
      if (!answer.ok) throw new Error('status ' + answer.status);
      const {counters, preemptions} = await answer.json();
      const count = name => counters['preemption-containers-' + name] || 0;
      byId('preemption-note').textContent = preemptions.filter(one => !one.outcome).length + ' under way. Counts since the start of the scheduler:';
      byId('preemption-tiles').replaceChildren(...lost,
        tile(String(count('announced')), 'containers announced'), tile(String(count('killed')), 'killed: their work is lost'),
        tile(String(count('given-back')), 'given back in time'), tile(String(count('called-off')), 'called off'));
    } catch (failure) {
      byId('preemption-note').textContent = 'Needs a login to the ResourceManager: ' + failure.message + '.';
      byId('preemption-tiles').replaceChildren(...lost);
    }
  }

  async function overview({status, accounts}, stale) {
    const [prices] = await Promise.all([api.get('prices?from=' + (status.nowMillis - range) + '&points=400'), preemption(status)]);
    if (stale()) return;
    const price = prices.prices.map(point => [point.startMillis, Number(point.price)]);
    price.push([status.nowMillis, Number(status.price)]);
    const soon = accounts.filter(runsOutToday).length;
    byId('tiles').replaceChildren(
      tile(money(status.price), 'price: sum of the rates that pay, credits for a ' + heddle.account.unit(status), status.price),
      tile(slots(status.used) + ' of ' + slots(status.capacity), 'slots in use', status.used + ' of ' + status.capacity),
      tile(money(status.moneySupply), 'credits in all accounts', status.moneySupply),
      tile(money(status.revenue), 'credits charged so far', status.revenue),
      tile(accounts.filter(account => account.state === 'paying').length + ' of ' + status.accounts, 'accounts pay'),
      tile(String(soon), soon === 1 ? 'account is empty within 24 hours' : 'accounts are empty within 24 hours'),
      tile(span(Math.max(0, status.nextEpochMillis - status.nowMillis)), 'until epoch ' + (status.epoch + 1)));
    priceChart.show([{label: 'price', points: price}]);
    const revenue = prices.prices.filter(point => point.millis > 0)
      .map(point => [point.startMillis, Number(point.revenue) * HOUR_MILLIS / point.millis]);
    if (revenue.length > 0) revenue.push([status.nowMillis, revenue[revenue.length - 1][1]]);
    revenueChart.show([{label: 'revenue per hour', points: revenue}]);
  }

  // ---- queues ----

  const runsOutToday = account => Number(account.budget) > 0 && account.runwayMillis !== null && account.runwayMillis < DAY_MILLIS;
  const total = field => rows => number(rows.reduce((sum, row) => sum + Number(row[field]), 0));

  function share(account) {
    const made = element('span', '', tenths(account.share));
    made.title = account.shareExactly;
    if (account.share === 0) return made;
    const bar = element('span', 'bar');
    const filled = element('i');
    filled.style.width = Math.max(0, Math.min(1, account.share)) * 100 + '%';
    bar.append(filled);
    made.append(bar);
    return made;
  }

  function name(account) {
    const link = element('a', '', account.name);
    link.href = '#account/' + encodeURIComponent(account.name);
    return link;
  }

  const runwayOrder = account => Number(account.budget) === 0 ? -1 : account.runwayMillis === null ? Number.MAX_VALUE : account.runwayMillis;
  const queues = heddle.table(byId('accounts'), {
    caption: 'Queues of the market', key: account => account.name, sort: [3, true], sums: true,
    empty: 'No account is like this.',
    rowClass: account => shown && isMine(shown, account) ? 'chosen' : account.state === 'paying' ? '' : 'quiet',
    columns: [
      {label: 'Account', value: account => account.name, cell: name, sum: rows => rows.length.toLocaleString('en') + ' accounts'},
      {label: 'Balance', title: 'credits', value: account => Number(account.budget), cell: account => number(account.budget), sum: total('budget')},
      {label: 'Rate', className: 'minor', title: 'credits for a slot and the unit of time', value: account => Number(account.rate), cell: account => number(account.rate), sum: total('rate')},
      {label: 'Share', value: account => account.share, cell: share, sum: rows => tenths(rows.reduce((sum, row) => sum + row.share, 0))},
      {label: 'Paid slots', className: 'minor', title: 'slots to which the rate entitles', value: account => Number(account.entitled),
        cell: account => number(account.entitled), sum: total('entitled')},
      {label: 'Used', className: 'minor', title: 'running containers', value: account => account.usedContainers,
        cell: account => account.usedContainers.toLocaleString('en'), sum: rows => rows.reduce((sum, row) => sum + row.usedContainers, 0).toLocaleString('en')},
      {label: 'Waiting', className: 'minor', title: 'containers that are asked for', value: account => account.pendingContainers,
        cell: account => account.pendingContainers.toLocaleString('en'), sum: rows => rows.reduce((sum, row) => sum + row.pendingContainers, 0).toLocaleString('en')},
      {label: 'State', className: 'text minor', value: account => account.state, cell: account => element('span', 'state ' + account.state, account.state.replace('-', ' '))},
      {label: 'Lasts', value: runwayOrder, cell: account => element('span', runway(account) === 'empty' ? 'empty' : '', runway(account))}
    ]
  });

  const filters = {
    all: () => true,
    paying: account => account.state === 'paying',
    own: account => isMine(shown, account),
    soon: runsOutToday,
    empty: account => Number(account.budget) === 0
  };

  function drawQueues() {
    const wanted = byId('queue-search').value.trim().toLowerCase();
    const keep = filters[byId('queue-filter').value];
    const rows = shown.accounts.filter(account => keep(account) && account.name.toLowerCase().includes(wanted));
    byId('queue-count').textContent = rows.length.toLocaleString('en') + ' of ' + shown.accounts.length.toLocaleString('en') + ' accounts';
    queues.show(rows);
  }

  byId('queue-search').addEventListener('input', () => { queues.top(); drawQueues(); });
  byId('queue-filter').addEventListener('change', () => { queues.top(); drawQueues(); });

  // ---- incomes, keys, audit ----

  const incomes = heddle.table(byId('incomes-table'), {
    caption: 'Incomes', key: income => income.id, sort: [0, false],
    empty: 'There are no incomes. An income pays a sum to accounts by weight, at fixed intervals.',
    columns: [
      {label: 'Income', value: income => income.id, cell: income => income.id},
      {label: 'Sum', title: 'credits each time', value: income => Number(income.total), cell: income => number(income.total)},
      {label: 'Of', className: 'text', title: 'the sum is for the whole cluster, or for each of its slots', value: income => String(income.perSlot),
        cell: income => income.perSlot ? 'each slot' : 'all'},
      {label: 'Every', value: income => income.everySeconds,
        cell: income => income.zone === '' ? span(income.everySeconds * 1000) : 'month, ' + income.zone},
      {label: 'From', className: 'minor', value: income => income.startMillis, cell: income => shortStamp(income.startMillis)},
      {label: 'Cap', className: 'minor', title: 'no account gets above this balance', value: income => Number(income.cap),
        cell: income => Number(income.cap) === 0 ? '-' : number(income.cap)},
      {label: 'To (weight)', className: 'text long', value: income => Object.keys(income.weights).length,
        cell: income => Object.entries(income.weights).map(([account, weight]) => account + ' (' + weight + ')').join(', ')},
      {label: 'Action', className: 'text', cell: income => shown.me.roles.includes('admin') ? actions(income) : ''}
    ]
  });

  function button(text, label, action) {
    const made = element('button', '', text);
    made.type = 'button';
    made.setAttribute('aria-label', label);
    made.addEventListener('click', () => action(made));
    return made;
  }

  /* The first click asks, the second one acts. */
  const twice = (made, text, action) => {
    if (made.textContent === text) action();
    else made.textContent = text;
  };

  async function change(note, method, where, body, done) {
    byId(note).textContent = '';
    byId(note).classList.remove('bad');
    try {
      await api.change(method, where, body);
      byId(note).textContent = done;
      await heddle.refresh();
    } catch (failure) {
      byId(note).textContent = failure.message;
      byId(note).classList.add('bad');
    }
  }

  function actions(income) {
    const made = element('span');
    made.append(
      button('Edit', 'Edit the income ' + income.id, () => {
        edited = income;
        byId('income-id').value = income.id;
        byId('income-total').value = income.total;
        const unit = [604800, 86400, 3600, 60, 1].find(seconds => income.everySeconds % seconds === 0);
        byId('income-every').value = income.everySeconds / unit;
        byId('income-unit').value = String(unit);
        byId('income-weights').value = Object.entries(income.weights).map(([account, weight]) => account + '=' + weight).join(' ');
        byId('income-cap').value = Number(income.cap) === 0 ? '' : income.cap;
        byId('income-total').focus();
      }), ' ',
      button('Remove', 'Remove the income ' + income.id, from => twice(from, 'Really remove', () =>
        change('income-note', 'DELETE', 'incomes/' + encodeURIComponent(income.id), {}, 'The income ' + income.id + ' is removed.'))));
    return made;
  }

  /* {"alice": "2"} of "alice=2 bob"; null if a word is wrong. */
  function weights(text) {
    const made = {};
    for (const word of text.split(/[\s,]+/).filter(Boolean)) {
      const parts = /^([^=]+)(?:=([0-9]{1,10}))?$/.exec(word);
      if (!parts) return null;
      made[parts[1]] = parts[2] || '1';
    }
    return made;
  }

  byId('income-form').addEventListener('submit', event => {
    event.preventDefault();
    const id = byId('income-id').value.trim();
    const to = weights(byId('income-weights').value);
    if (to === null) {
      byId('income-note').textContent = 'Write the accounts as ACCOUNT=WEIGHT with blanks between, for example alice=2 bob=1.';
      byId('income-note').classList.add('bad');
      return;
    }
    const body = {
      total: byId('income-total').value.trim(), weights: to,
      everySeconds: String(Math.round(Number(byId('income-every').value) * Number(byId('income-unit').value)))
    };
    if (byId('income-cap').value.trim() !== '') body.cap = byId('income-cap').value.trim();
    let done = 'The income ' + id + ' is set. It pays for the first time now.';
    if (edited !== null && edited.id === id) {
      // What the form does not show stays.
      body.perSlot = String(edited.perSlot);
      if (edited.rollOver >= 0) body.rollOver = String(edited.rollOver);
    }
    if (edited !== null && edited.id === id && edited.zone !== '') {
      delete body.everySeconds;
      body.zone = edited.zone;
      done = 'The income ' + id + ' is set. It pays at the beginning of each month.';
    } else if (edited !== null && edited.id === id && String(edited.everySeconds) === body.everySeconds) {
      // Not paid once more because it was edited: it pays next when it would have.
      const every = edited.everySeconds * 1000;
      const next = edited.startMillis + Math.max(0, Math.ceil((shown.status.nowMillis - edited.startMillis) / every)) * every;
      body.startMillis = String(next);
      done = 'The income ' + id + ' is set. It pays next at ' + shortStamp(next) + '.';
    }
    change('income-note', 'PUT', 'incomes/' + encodeURIComponent(id), body, done);
  });

  const moment = millis => millis === null ? '-' : shortStamp(millis);

  function revoke(key) {
    if (!key.live) return '';
    const button = element('button', '', 'Revoke');
    button.type = 'button';
    button.setAttribute('aria-label', 'Revoke the key ' + key.id);
    button.addEventListener('click', async () => {
      if (button.textContent === 'Revoke') {
        button.textContent = 'Really revoke';
        return;
      }
      try {
        await api.change('DELETE', 'keys/' + key.id.split('/').map(encodeURIComponent).join('/'));
        byId('keys-note').textContent = 'The key ' + key.id + ' is revoked.';
        await heddle.refresh();
      } catch (failure) {
        byId('keys-note').textContent = failure.message;
      }
    });
    return button;
  }

  const keys = heddle.table(byId('keys-table'), {
    caption: 'Keys', key: key => key.id, sort: [0, false], empty: 'There are no keys. "heddle market keys create" makes one.',
    rowClass: key => key.live ? '' : 'quiet',
    columns: [
      {label: 'Key', value: key => key.id, cell: key => key.id},
      {label: 'Role', className: 'text', value: key => key.role, cell: key => key.role},
      {label: 'State', className: 'text', value: key => key.live ? 1 : 0,
        cell: key => key.live ? 'valid' : key.revokedMillis ? 'revoked' : 'expired'},
      {label: 'Created', className: 'minor', value: key => key.createdMillis, cell: key => shortStamp(key.createdMillis)},
      {label: 'Expires', className: 'minor', value: key => key.notAfterMillis || 0, cell: key => key.notAfterMillis === null ? 'never' : shortStamp(key.notAfterMillis)},
      {label: 'Last used', className: 'minor', value: key => key.lastUsedMillis || 0, cell: key => moment(key.lastUsedMillis)},
      {label: 'Action', className: 'text', cell: revoke}
    ]
  });

  /* What was changed; the JSON also has the identifiers of requests and records. */
  const details = entry => Object.entries(entry.details)
    .filter(([field]) => field !== 'request' && field !== 'idempotency-key' && !field.startsWith('record '))
    .map(([field, value]) => field + ' = ' + value).join(', ');

  const audit = heddle.table(byId('audit-table'), {
    caption: 'Audit', key: entry => String(entry.sequence), sort: [0, true], empty: 'There are no more entries.',
    columns: [
      {label: 'Number', value: entry => entry.sequence, cell: entry => String(entry.sequence)},
      {label: 'Time', className: 'text', value: entry => entry.atMillis, cell: entry => shortStamp(entry.atMillis)},
      {label: 'Caller', className: 'text', value: entry => entry.principal, cell: entry => entry.principal},
      {label: 'Action', className: 'text', value: entry => entry.action, cell: entry => entry.action},
      {label: 'Target', className: 'text minor long', value: entry => entry.target, cell: entry => entry.target},
      {label: 'Details', className: 'text minor long', cell: details},
      {label: 'Address', className: 'text minor', value: entry => entry.origin, cell: entry => entry.origin}
    ]
  });

  /* The newest entries first; older ones page by page. */
  async function drawAudit(stale) {
    const entries = (await api.get('audit?before=' + auditBefore + '&most=' + AUDIT_ROWS)).entries;
    if (stale()) return;
    audit.show(entries);
    byId('audit-older').hidden = entries.length < AUDIT_ROWS;
    byId('audit-newest').hidden = auditBefore === 0;
    byId('audit-older').dataset.next = entries.length > 0 ? entries[0].sequence : 0;
    byId('audit-note').textContent = entries.length > 0 ? 'Entries ' + entries[entries.length - 1].sequence + ' to ' + entries[0].sequence : '';
  }

  function auditFrom(before) {
    auditBefore = before;
    audit.top();
    heddle.refresh();
  }

  byId('audit-older').addEventListener('click', event => auditFrom(Number(event.target.dataset.next)));
  byId('audit-newest').addEventListener('click', () => auditFrom(0));

  return {
    async draw(view, state, stale) {
      shown = state;
      if (view === 'overview') await overview(state, stale);
      else if (view === 'queues') drawQueues();
      else if (view === 'incomes') {
        byId('income-form').hidden = !state.me.roles.includes('admin');
        const got = await api.get('incomes');
        if (!stale()) incomes.show(got.incomes);
      }
      else if (view === 'keys') {
        const got = await api.get('keys');
        if (!stale()) keys.show(got.keys);
      }
      else if (view === 'audit') await drawAudit(stale);
    }
  };
})();
