// SPDX-License-Identifier: Apache-2.0
'use strict';
/* The market's section: who is signed in, which view shows, and the refreshing of it. */
(() => {
  const {byId, element, stamp, api} = heddle;
  const REFRESH_MILLIS = 5000;
  const VIEWS = [['account', 'Account'], ['overview', 'Overview'], ['queues', 'Queues'], ['incomes', 'Incomes', true],
    ['keys', 'Keys', true], ['audit', 'Audit', true]];
  const state = {me: {name: '', roles: []}, status: null, accounts: []};
  let drawing = 0;
  let latest = 0;
  /* When the state was read, on the page's own clock. */
  let readAt = -Infinity;

  const reads = () => state.me.roles.includes('admin') || state.me.roles.includes('auditor');
  const signedIn = () => state.me.by !== 'nothing';

  function view() {
    const wanted = location.hash.slice(1).split('/')[0];
    const known = VIEWS.find(one => one[0] === wanted);
    if (known && (!known[2] || reads() || (wanted === 'keys' && signedIn()))) return wanted;
    return state.accounts.some(account => heddle.account.isMine(state, account)) ? 'account' : 'overview';
  }

  function navigate() {
    const shown = view();
    byId('views').hidden = false;
    byId('views').replaceChildren(...VIEWS.filter(one => !one[2] || reads() || (one[0] === 'keys' && signedIn())).map(([id, name]) => {
      const link = element('a', '', name);
      link.href = '#' + id;
      if (id === shown) link.setAttribute('aria-current', 'page');
      return link;
    }));
    for (const section of document.querySelectorAll('.view')) section.hidden = section.id !== shown;
    return shown;
  }

  function showUser() {
    const {name, by, roles} = state.me;
    const rights = roles.filter(role => role !== 'user').join(', ');
    const how = by === 'signature' ? ' with key ' + api.keyId() : by === 'cluster' ? ' by the cluster' : '';
    byId('user').textContent = signedIn() ? 'Signed in as ' + name + how + (rights ? ' (' + rights + ')' : '')
      : 'You are not signed in: you can read, but change nothing.';
    byId('sign-in').hidden = signedIn();
    byId('sign-out').hidden = by !== 'signature';
  }

  /* stale() is true once a later draw has begun: what an earlier one reads after that is not shown. */
  async function draw(stale, again) {
    if (again) {
      const [status, accounts, me] = await Promise.all([api.get('status'), api.get('accounts'), api.get('whoami')]);
      if (stale()) return;
      Object.assign(state, {status, accounts: accounts.accounts, me});
      readAt = performance.now();
    }
    const {status} = state;
    byId('cluster').textContent = status.cluster;
    byId('problem').hidden = !status.storeProblem;
    byId('problem').textContent = status.storeProblem
      ? 'The ledger cannot be written: ' + status.storeProblem + '. Bills wait and changes are refused until it can.' : '';
    byId('unmeasured').hidden = !status.unmeasured;
    byId('unmeasured').textContent = status.unmeasured + '.';
    showUser();
    const asked = location.hash.slice(1);
    const focused = byId('views').contains(document.activeElement) ? document.activeElement.hash : null;
    const shown = navigate();
    if (focused) byId('views').querySelector('a[href="' + focused + '"]').focus();
    const begin = performance.now();
    await (shown === 'account' ? heddle.account.draw(state, stale) : heddle.admin.draw(shown, state, stale));
    if (stale()) return;
    document.documentElement.dataset.drawn = asked || shown;
    document.documentElement.dataset.millis = (performance.now() - begin).toFixed(1);
    byId('when').textContent = 'As of ' + stamp(status.nowMillis);
  }

  /* Draws at once: a click does not wait for a refresh that is under way. Reads the state anew unless it is told not to. */
  async function refresh(again = true) {
    const own = ++latest;
    const stale = () => own !== latest;
    drawing++;
    try {
      await draw(stale, again);
    } catch (failure) {
      if (!stale()) byId('when').textContent = 'No answer at ' + stamp(Date.now()) + ': ' + failure.message;
    } finally {
      drawing--;
    }
  }
  /* After a change, or with another user, nothing that was read before is shown any more. */
  heddle.refresh = () => {
    readAt = -Infinity;
    return refresh();
  };

  // ---- signing in ----

  byId('sign-in').addEventListener('click', () => {
    const form = byId('sign-in-form');
    form.hidden = !form.hidden;
    byId('sign-in').setAttribute('aria-expanded', String(!form.hidden));
    byId('insecure').hidden = window.isSecureContext;
    if (!form.hidden) byId('key-file').focus();
  });

  byId('key-file').addEventListener('change', async event => {
    const file = event.target.files[0];
    if (!file) return;
    if (file.size > 4096) {
      byId('key-problem').textContent = file.name + ' is no key file: it has ' + file.size + ' bytes. Choose the file that "heddle market keys create" wrote.';
      return;
    }
    byId('key-text').value = await file.text();
  });

  byId('sign-in-form').addEventListener('submit', async event => {
    event.preventDefault();
    byId('key-problem').textContent = '';
    try {
      await api.use(byId('key-text').value, state.status === null ? '' : state.status.cluster);
      await api.get('whoami');
    } catch (failure) {
      api.forget();
      byId('key-problem').textContent = failure.message;
      return;
    }
    byId('sign-in-form').reset();
    byId('sign-in-form').hidden = true;
    byId('sign-in').setAttribute('aria-expanded', 'false');
    heddle.account.reset();
    if (location.hash) history.replaceState(null, '', location.pathname);
    await heddle.refresh();
    byId('main').focus();
  });

  byId('sign-out').addEventListener('click', () => {
    api.forget();
    heddle.account.reset();
    heddle.refresh();
    byId('main').focus();
  });

  /* A click draws what is known at once; if that is old, it is read and drawn again. */
  window.addEventListener('hashchange', async () => {
    await refresh(readAt === -Infinity);
    if (performance.now() - readAt > REFRESH_MILLIS) refresh();
  });
  refresh();
  setInterval(() => { if (!document.hidden && drawing === 0) refresh(); }, REFRESH_MILLIS);
})();
