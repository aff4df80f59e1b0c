// SPDX-License-Identifier: Apache-2.0
'use strict';
/*
 * Requests to the market's API, signed (RFC 9421, HMAC-SHA256) if there is a key. The key is in the closure below and
 * nowhere else. Browsers have WebCrypto over HTTPS and from the same machine; elsewhere nobody can sign in with a key.
 */
heddle.api = (() => {
  const FIRST_LINE = 'heddle-market-key 1';
  let key = null;
  let aheadMillis = 0;

  const bytes = text => new TextEncoder().encode(text);
  const base64 = data => btoa(String.fromCharCode(...data));
  const fromBase64 = text => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), one => one.charCodeAt(0));

  async function sha256(data) {
    return new Uint8Array(await crypto.subtle.digest('SHA-256', data));
  }

  async function hmac(secret, data) {
    const imported = await crypto.subtle.importKey('raw', secret, {name: 'HMAC', hash: 'SHA-256'}, false, ['sign']);
    return new Uint8Array(await crypto.subtle.sign('HMAC', imported, data));
  }

  /* Reads the text of a key file; throws one sentence. */
  function parse(text) {
    const lines = text.trim().split(/\r?\n/);
    if (lines[0].trim() !== FIRST_LINE) {
      throw new Error('This is not a key file: its first line must be "' + FIRST_LINE + '". Create one with "heddle market keys create".');
    }
    const values = {};
    for (const line of lines.slice(1)) {
      const at = line.indexOf('=');
      if (at > 0) values[line.slice(0, at).trim()] = line.slice(at + 1).trim();
    }
    for (const name of ['cluster', 'key', 'secret']) {
      if (!values[name]) throw new Error('The key file has no line "' + name + ' = ...". Copy the whole file.');
    }
    let secret;
    try {
      secret = fromBase64(values.secret);
    } catch (failure) {
      throw new Error('The secret in the key file is not base64. Copy the whole file again.');
    }
    return {cluster: values.cluster, id: values.key, secret};
  }

  async function signature(method, url, body) {
    const fields = {'Heddle-Cluster': key.cluster};
    const covered = [['@method', method], ['@path', url.pathname], ['@query', url.search || '?'], ['heddle-cluster', key.cluster]];
    if (body) {
      fields['Content-Digest'] = 'sha-256=:' + base64(await sha256(bytes(body))) + ':';
      covered.push(['content-digest', fields['Content-Digest']], ['content-type', 'application/json']);
    }
    const nonce = base64(crypto.getRandomValues(new Uint8Array(18))).replaceAll('+', '-').replaceAll('/', '_');
    const input = '(' + covered.map(([name]) => '"' + name + '"').join(' ') + ');created=' + Math.floor((Date.now() + aheadMillis) / 1000)
      + ';nonce="' + nonce + '";keyid="' + key.id + '";alg="hmac-sha256";tag="heddle-market"';
    const base = covered.map(([name, value]) => '"' + name + '": ' + value).join('\n') + '\n"@signature-params": ' + input;
    fields['Signature-Input'] = 'heddle=' + input;
    fields.Signature = 'heddle=:' + base64(await hmac(key.secret, bytes(base))) + ':';
    return fields;
  }

  async function send(method, path, body, accept) {
    const url = new URL('v1/' + path, location.href);
    const text = body === undefined ? '' : JSON.stringify(body);
    const headers = {Accept: accept};
    if (text) headers['Content-Type'] = 'application/json';
    if (key) Object.assign(headers, await signature(method, url, text));
    else if (method !== 'GET') headers['X-XSRF-Header'] = 'heddle-console';
    let answer;
    try {
      answer = await fetch(url, {method, headers, body: text || undefined, cache: 'no-store', credentials: 'same-origin'});
    } catch (failure) {
      throw new Error('The ResourceManager does not answer.');
    }
    if (answer.ok) return answer;
    let message = '';
    try {
      message = (await answer.json()).error.message;
    } catch (failure) {
      message = 'The ResourceManager answered with status ' + answer.status + '.';
    }
    const refused = new Error(message);
    refused.status = answer.status;
    throw refused;
  }

  return {
    /* The owner of the key, for example alice of alice/1; throws one sentence if the text is not a key file. */
    async use(text, cluster) {
      if (!crypto.subtle) throw new Error('Over plain HTTP nobody can sign in with a key. Open this page over HTTPS, or use the command "heddle market".');
      const read = parse(text);
      if (cluster && read.cluster !== cluster) {
        throw new Error('This key is for the cluster ' + read.cluster + ', and this is ' + cluster + '. Choose the key for this cluster.');
      }
      const now = await fetch('v1/time', {cache: 'no-store'}).then(answer => answer.json());
      aheadMillis = now.nowMillis - Date.now();
      key = read;
    },
    forget() { key = null; },
    keyId() { return key === null ? '' : key.id; },
    get: async path => (await send('GET', path, undefined, 'application/json')).json(),
    csv: async path => (await send('GET', path, undefined, 'text/csv')).text(),
    change: async (method, path, body) => (await send(method, path, body, 'application/json')).json()
  };
})();
