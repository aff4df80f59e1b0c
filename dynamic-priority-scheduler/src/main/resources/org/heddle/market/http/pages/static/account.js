// SPDX-License-Identifier: Apache-2.0
'use strict';
/* The view of one account: its figures, what another rate would change, its charts and its statement. */
heddle.account = (() => {
  const {byId, element, percent, span, stamp, shortStamp, tile, api} = heddle;
  const HOUR_MILLIS = 3600000;
  const DAY_MILLIS = 24 * HOUR_MILLIS;
  const LINES_OF_CSV = 1000;
  const LINES_OF_PAGE = 200;
  const RATE = /^[0-9]{1,9}(\.[0-9]{1,9})?$/;
  let chosen = null;
  let edited = false;
  let range = DAY_MILLIS;
  /* The sequence that the lines of the statement are before; 0 for the newest. */
  let linesBefore = 0;
  let last = null;
  /* The accounts in the list to choose from. */
  let choosable = '';

  const isMine = (state, account) => account.yours;

  /* Credits and slots as people read them: two decimals, and below 1 as many as show three digits. */
  function money(value) {
    const amount = Number(value);
    if (amount === 0 || Math.abs(amount) >= 1) return amount.toLocaleString('en', {minimumFractionDigits: 2, maximumFractionDigits: 2});
    const digits = Number(amount.toPrecision(3)).toFixed(9).replace(/0+$/, '');
    return digits.padEnd(digits.indexOf('.') + 3, '0');
  }

  /* The same for a table cell; the exact value is its title. */
  function number(value) {
    const made = element('span', '', money(value));
    made.title = String(value);
    return made;
  }

  /* When an epoch that is not far away begins. */
  const begins = (status, epoch) => stamp(status.nextEpochMillis + (epoch - status.epoch - 1) * status.intervalMillis);

  /* How long the balance lasts, in words. */
  function runway(account) {
    if (Number(account.budget) === 0) return 'empty';
    return account.runwayMillis === null ? '-' : span(account.runwayMillis);
  }

  /* Credits for an hour, for a rate that is credits for a slot and rateUnitMillis. */
  const hourly = (status, rate) => rate * HOUR_MILLIS / status.rateUnitMillis;

  const unit = status => status.rateUnitMillis === HOUR_MILLIS ? 'slot-hour' : 'slot and ' + span(status.rateUnitMillis);

  function outcome(status, account, rate) {
    const own = Number(account.effectiveRate);
    const price = Math.max(0, Number(status.price) - own) + rate;
    const share = price > 0 ? rate / price : 0;
    const slots = share * Number(status.capacity);
    const cost = hourly(status, rate) * slots;
    return {price, share, slots, cost, lastsMillis: cost > 0 ? Number(account.budget) / cost * HOUR_MILLIS : null};
  }

  function lines(into, rows) {
    into.replaceChildren(...rows.flatMap(([name, before, after, className]) => [
      element('dt', className || '', name), element('dd', 'before ' + (className || ''), before), element('dd', className || 'after', after)]));
  }

  // ---- what if ----

  const scale = () => {
    const price = last ? Number(last.status.price) : 0;
    return price > 0 ? price : 1;
  };
  const rateOfSlider = value => Number((scale() * 10 ** (value / 200 - 3)).toPrecision(3));
  const sliderOfRate = rate => rate <= 0 ? 0 : Math.max(0, Math.min(1000, Math.round((Math.log10(rate / scale()) + 3) * 200)));
  const plain = rate => rate.toFixed(9).replace(/\.?0+$/, '');

  function wantedRate() {
    const text = byId('rate').value.trim();
    if (!RATE.test(text)) {
      return [null, 'The rate "' + text + '" must be a number from 0 to 999999999 with at most nine decimals, for example 1.5.'];
    }
    return [Number(text), ''];
  }

  function whatIf() {
    const {status, account} = last;
    const [rate, problem] = wantedRate();
    byId('rate-problem').textContent = problem;
    byId('rate').setAttribute('aria-invalid', String(problem !== ''));
    byId('set-rate').disabled = problem !== '' || !last.may;
    if (rate === null) {
      byId('what-if-result').replaceChildren();
      byId('job-result').replaceChildren();
      return;
    }
    const now = outcome(status, account, Number(account.effectiveRate));
    const then = outcome(status, account, rate);
    /* All that is paid for, and as many of these slots as are used now; one figure if they are the same. */
    const used = one => Math.min(Number(account.used), one.slots);
    const from = (low, high) => low === high ? high : low + ' to ' + high;
    const costs = (bid, one) => from(money(hourly(status, bid) * used(one)), money(one.cost));
    const lasts = (bid, one) => {
      if (one.lastsMillis === null) return '-';
      if (Number(account.budget) === 0) return 'empty';
      const asUsed = hourly(status, bid) * used(one);
      return asUsed > 0 ? from(span(one.lastsMillis), span(Number(account.budget) / asUsed * HOUR_MILLIS)) : span(one.lastsMillis) + ' or more';
    };
    const own = Number(account.effectiveRate);
    lines(byId('what-if-result'), [
      ['as used now, and if all are used', 'now', 'then', 'head'],
      ['Price (sum of rates)', money(now.price), money(then.price)],
      ['Share', percent(now.share), percent(then.share)],
      ['Slots', now.slots.toFixed(2), then.slots.toFixed(2)],
      ['Cost per hour', costs(own, now), costs(rate, then)],
      ['Balance lasts', lasts(own, now), lasts(rate, then)]
    ]);
    const work = Number(byId('job').value);
    if (!(work > 0)) {
      byId('rate-problem').textContent = 'The slot-hours "' + byId('job').value + '" of a job must be a number above 0: 400 tasks of 90 s are 10.';
      byId('job-result').replaceChildren();
      return;
    }
    const ends = slots => span(work / slots * HOUR_MILLIS);
    const time = one => {
      if (one.slots <= 0) return 'not paid for';
      return 'in ' + (used(one) > 0 ? from(ends(one.slots), ends(used(one))) : ends(one.slots) + ' or more');
    };
    const cost = one => one.slots > 0 ? money(work * one.cost / one.slots) : '-';
    lines(byId('job-result'), [
      ['The job ends', time(now), time(then)],
      ['The job costs', cost(now), cost(then)]
    ]);
  }

  byId('rate').addEventListener('input', () => {
    edited = true;
    const [rate] = wantedRate();
    if (rate !== null) byId('rate-slider').value = sliderOfRate(rate);
    byId('rate-slider').setAttribute('aria-valuetext', byId('rate').value + ' credits');
    whatIf();
  });
  byId('rate-slider').addEventListener('input', event => {
    edited = true;
    byId('rate').value = plain(rateOfSlider(Number(event.target.value)));
    event.target.setAttribute('aria-valuetext', byId('rate').value + ' credits');
    whatIf();
  });
  byId('job').addEventListener('input', whatIf);

  byId('what-if').addEventListener('submit', async event => {
    event.preventDefault();
    const [rate, problem] = wantedRate();
    if (problem) return;
    byId('set-rate').disabled = true;
    byId('rate-done').textContent = '';
    try {
      const receipt = await api.change('PUT', 'accounts/' + encodeURIComponent(chosen) + '/rate', {rate: plain(rate) || '0'});
      edited = false;
      byId('rate-done').textContent = 'The rate is ' + plain(rate) + ' from ' + begins(last.status, receipt.effectiveEpoch) + ' on.';
      await heddle.refresh();
    } catch (failure) {
      byId('rate-problem').textContent = failure.message;
    } finally {
      byId('set-rate').disabled = false;
    }
  });

  // ---- payments of administrators ----

  byId('money-form').addEventListener('submit', async event => {
    event.preventDefault();
    const which = event.submitter ? event.submitter.value : 'deposits';
    const amount = byId('money-amount').value.trim();
    const note = byId('money-note');
    byId('pay-in').disabled = byId('pay-out').disabled = true;
    note.textContent = '';
    note.classList.remove('bad');
    try {
      const receipt = await api.change('POST', path(chosen) + '/' + which, {amount, text: byId('money-text').value});
      note.textContent = amount + ' credits were ' + (which === 'deposits' ? 'paid in' : 'taken out') + '; the balance is ' + receipt.balance + '.';
      byId('money-amount').value = byId('money-text').value = '';
      await heddle.refresh();
    } catch (failure) {
      note.textContent = failure.message;
      note.classList.add('bad');
    } finally {
      byId('pay-in').disabled = byId('pay-out').disabled = false;
    }
  });

  // ---- charts and statement ----

  const ranges = [['1 h', HOUR_MILLIS], ['24 h', DAY_MILLIS], ['7 d', 7 * DAY_MILLIS], ['31 d', 31 * DAY_MILLIS]];
  const bidChart = heddle.chart(byId('bid-chart'), {
    title: 'Price and own rate', unit: 'credits', format: money, ranges, first: 1,
    onRange: millis => { range = millis; heddle.refresh(); }
  });
  const balanceChart = heddle.chart(byId('balance-chart'), {title: 'Balance', unit: 'credits', format: money});

  const statement = heddle.table(byId('statement-table'), {
    caption: 'Statement', key: line => String(line.sequence), sort: [0, true], empty: 'No payments and no charges in this time.',
    columns: [
      {label: 'Time', value: line => line.sequence, cell: line => shortStamp(line.atMillis)},
      {label: 'What', className: 'text', value: line => line.kind, cell: line => line.kind.replace('-', ' ')},
      {label: 'Amount', value: line => Number(line.amount), cell: line => number(line.amount)},
      {label: 'Balance', value: line => Number(line.balance), cell: line => number(line.balance)},
      {label: 'Rate', className: 'minor', value: line => Number(line.rate), cell: line => line.kind === 'charge' ? number(line.rate) : ''},
      {label: 'Slot-hours', className: 'minor', value: line => line.slotMillis,
        cell: line => line.kind === 'charge' ? number(line.slotMillis / HOUR_MILLIS) : ''},
      {label: 'Note', className: 'text minor', value: line => line.text, cell: line => line.text}
    ]
  });

  const applications = heddle.table(byId('applications-table'), {
    caption: 'Cost per application', key: cost => cost.application || '(others)', sort: [5, true], sums: true,
    empty: 'No application was charged in this time.',
    columns: [
      {label: 'Application', className: 'text', value: cost => cost.application, cell: cost => cost.application || '(others)',
        sum: rows => rows.filter(cost => cost.count > 0).length.toLocaleString('en') + ' single'},
      {label: 'Name', className: 'text long', value: cost => cost.name, cell: cost => cost.name},
      {label: 'User', className: 'text minor', value: cost => cost.user, cell: cost => cost.user},
      {label: 'Last charge', className: 'text minor', value: cost => cost.lastMillis, cell: cost => shortStamp(cost.lastMillis)},
      {label: 'Slot-hours', className: 'minor', title: 'what it used', value: cost => cost.slotMillis, cell: cost => number(cost.slotMillis / HOUR_MILLIS)},
      {label: 'Charged', title: 'credits', value: cost => Number(cost.charged), cell: cost => number(cost.charged),
        sum: rows => number(rows.reduce((sum, cost) => sum + Number(cost.charged), 0))}
    ]
  });

  const path = name => 'accounts/' + encodeURIComponent(name);

  async function unlessForbidden(answer) {
    try {
      return await answer;
    } catch (failure) {
      if (failure.status !== 401 && failure.status !== 403) throw failure;
      return null;
    }
  }

  async function charts(state, account, stale) {
    const {status} = state;
    const since = 'from=' + (status.nowMillis - range) + '&points=400';
    const listed = 'from=' + (status.nowMillis - Number(byId('statement-days').value) * DAY_MILLIS) + '&most=' + LINES_OF_PAGE;
    const [prices, balances, past, got, costs] = await Promise.all([
      api.get('prices?' + since),
      api.get(path(account.name) + '/balances?' + since),
      unlessForbidden(api.get(path(account.name) + '/rates?' + since)),
      unlessForbidden(api.get(path(account.name) + '/statement?' + listed + '&before=' + linesBefore)),
      unlessForbidden(api.get(path(account.name) + '/applications?' + listed))
    ]);
    if (stale()) return;
    byId('applications').hidden = costs === null;
    applications.show(costs === null ? [] : costs.applications);
    const own = past === null ? [] : past.rates.map(point => [point.atMillis - status.intervalMillis, Number(point.rate)]);
    const seen = got === null ? [] : got.lines;
    byId('statement-note').textContent = got === null ? 'You may not read this statement.'
      : seen.length >= LINES_OF_PAGE ? seen.length + ' lines, from ' + shortStamp(seen[0].atMillis) + ' on; the CSV has all.' : '';
    byId('statement-older').hidden = seen.length < LINES_OF_PAGE;
    byId('statement-older').dataset.next = seen.length > 0 ? seen[0].sequence : 0;
    byId('statement-newest').hidden = linesBefore === 0;
    const price = prices.prices.map(point => [point.startMillis, Number(point.price)]);
    price.push([status.nowMillis, Number(status.price)]);
    byId('statement-csv').disabled = seen.length === 0;
    own.push([status.nowMillis, Number(account.rate)]);
    if (own.length === 1) own.unshift([price[0][0], Number(account.rate)]);
    bidChart.show([{label: 'price', points: price}, {label: 'rate of ' + account.name, points: own}]);
    const balance = balances.balances.map(point => [point.atMillis, Number(point.balance)]);
    if (balance.length > 0) balance.push([status.nowMillis, Number(account.budget)]);
    balanceChart.show([{label: 'balance of ' + account.name, points: balance}]);
    statement.show(seen);
  }

  function linesFrom(before) {
    linesBefore = before;
    statement.top();
    heddle.refresh();
  }

  byId('statement-older').addEventListener('click', event => linesFrom(Number(event.target.dataset.next)));
  byId('statement-newest').addEventListener('click', () => linesFrom(0));
  byId('statement-days').addEventListener('change', () => linesFrom(0));
  byId('statement-csv').addEventListener('click', async () => {
    const name = chosen;
    const from = last.status.nowMillis - Number(byId('statement-days').value) * DAY_MILLIS;
    try {
      const rows = [];
      for (let after = 0, full = true; full;) {
        const got = (await api.csv(path(name) + '/statement?from=' + from + '&after=' + after + '&most=' + LINES_OF_CSV)).split('\r\n').slice(0, -1);
        rows.push(...(rows.length === 0 ? got : got.slice(1)));
        full = got.length > LINES_OF_CSV;
        after = rows[rows.length - 1].split(',', 1)[0];
      }
      const link = element('a');
      link.href = URL.createObjectURL(new Blob([rows.join('\r\n') + '\r\n'], {type: 'text/csv'}));
      link.download = 'statement-' + name.replace(/[^A-Za-z0-9.-]/g, '_') + '.csv';
      link.click();
      URL.revokeObjectURL(link.href);
      byId('statement-done').textContent = (rows.length - 1).toLocaleString('en') + ' lines are in ' + link.download + '.';
    } catch (failure) {
      byId('statement-done').textContent = failure.message;
    }
  });

  // ---- the view ----

  function choices(state) {
    const mine = state.accounts.filter(account => isMine(state, account));
    const others = state.accounts.filter(account => !isMine(state, account));
    const select = byId('account-name');
    const names = [...mine, ...others].map(account => account.name);
    const listed = names.join('\n');
    if (listed !== choosable) {
      choosable = listed;
      select.replaceChildren(...names.map(name => {
        const option = element('option', '', name);
        option.value = name;
        return option;
      }));
    }
    const linked = decodeURIComponent(location.hash.split('/').slice(1).join('/'));
    if (linked && names.includes(linked)) choose(linked);
    if (!names.includes(chosen)) choose(names.length > 0 ? names[0] : null);
    select.value = chosen;
  }

  function choose(name) {
    if (name === chosen) return;
    chosen = name;
    edited = false;
    linesBefore = 0;
    for (const note of ['rate-done', 'statement-done', 'money-note']) byId(note).textContent = '';
  }

  byId('account-name').addEventListener('change', event => {
    location.hash = 'account/' + encodeURIComponent(event.target.value);
  });

  async function draw(state, stale) {
    choices(state);
    const account = state.accounts.find(one => one.name === chosen);
    byId('account-content').hidden = !account;
    byId('no-account').hidden = Boolean(account);
    if (!account) {
      byId('no-account').textContent = state.me.by === 'nothing'
        ? 'You see no accounts. Sign in, or ask an administrator of the market for permission.'
        : 'There is no account with your name. An administrator opens one with "heddle market open ' + state.me.name + '".';
      return;
    }
    const {status} = state;
    const may = account.maySetRate;
    last = {status, account, may};
    byId('account-state').textContent = account.state.replace('-', ' ')
      + (account.pendingContainers > 0 ? ', ' + account.pendingContainers + ' containers wait' : '');
    const now = outcome(status, account, Number(account.effectiveRate));
    byId('account-tiles').replaceChildren(
      tile(money(account.budget), 'balance, credits', account.budget),
      tile(runway(account), 'the balance lasts at the present use'),
      tile(money(account.rate), 'rate, credits for a ' + unit(status), account.rate),
      tile(percent(account.share), 'share of the cluster', account.shareExactly),
      tile(account.usedContainers + ' of ' + Number(account.entitled).toFixed(2), 'containers, of the slots paid for', account.entitled),
      tile(money(now.cost), 'credits per hour if all are used'));
    if (!edited && document.activeElement !== byId('rate') && document.activeElement !== byId('rate-slider')) {
      byId('rate').value = account.rate;
      byId('rate-slider').value = sliderOfRate(Number(account.rate));
      byId('rate-slider').setAttribute('aria-valuetext', account.rate + ' credits');
    }
    byId('set-rate').hidden = !may;
    byId('money-form').hidden = !state.me.roles.includes('admin') || state.me.by === 'nothing';
    byId('rate-label').textContent = 'Rate, credits for a ' + unit(status);
    whatIf();
    await charts(state, account, stale);
  }

  return {
    draw, isMine, runway, unit, money, number,
    reset() {
      choose(null);
    }
  };
})();
