/** Dashboard page: a self-refreshing table of functions with start, stop, delete and log. */

const html = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Limner functions</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/dashboard.css">
  </head>
  <body>
    <header>
      <h1>Functions</h1>
      <p id="state" role="status">Loading…</p>
    </header>
    <main>
      <table>
        <thead>
          <tr>
            <th scope="col">Namespace</th><th scope="col">Name</th><th scope="col">Project</th><th scope="col">State</th>
            <th scope="col">Node port</th><th scope="col">Replicas</th><th scope="col"><span class="hidden">Actions</span></th>
          </tr>
        </thead>
        <tbody id="functions"></tbody>
      </table>
      <p id="empty" hidden>No functions are deployed. Deploy one in Limner under Models, or by <code>limner function deploy</code>.</p>
      <section id="details" hidden>
        <h2 id="title"></h2>
        <pre id="log" tabindex="0"></pre>
      </section>
    </main>
    <script src="/dashboard.js"></script>
  </body>
</html>
`;

const css = `:root { color-scheme: light dark; font: 14px/1.45 system-ui, sans-serif; }
body { margin: 0 auto; max-width: 72rem; padding: 1.5rem; }
header { align-items: baseline; display: flex; gap: 1rem; }
h1 { font-size: 1.25rem; margin: 0; }
h2 { font-size: 1rem; margin: 1.5rem 0 0.5rem; }
#state { margin: 0; opacity: 0.7; }
table { border-collapse: collapse; margin-top: 1rem; width: 100%; }
th, td { border-bottom: 1px solid color-mix(in srgb, currentcolor 18%, transparent); padding: 0.45rem 0.6rem; text-align: left; }
th { font-weight: 600; opacity: 0.75; }
td.message { white-space: pre-wrap; }
button { font: inherit; margin-right: 0.35rem; padding: 0.15rem 0.6rem; }
pre { background: color-mix(in srgb, currentcolor 6%, transparent); max-height: 50vh; overflow: auto; padding: 0.75rem; white-space: pre-wrap; }
.hidden { clip-path: inset(50%); height: 1px; overflow: hidden; position: absolute; width: 1px; }
.ready::before, .other::before { content: '●'; margin-right: 0.4rem; }
.ready::before { color: #2b8a3e; }
.other::before { color: #e67700; }
`;

const script = `'use strict';
const rows = document.getElementById('functions');
const state = document.getElementById('state');
const token = () => (/(?:^|; )csrftoken=([^;]*)/.exec(document.cookie) || [])[1] || '';

async function call(method, path, body) {
  const response = await fetch(path, {
    method,
    headers: { 'Content-Type': 'application/json', 'X-CSRFToken': token() },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  if (!response.ok) {
    const problem = await response.json().catch(() => ({}));
    throw new Error(problem.error || 'The dashboard answered ' + response.status);
  }
  return response;
}

function cell(row, text, className) {
  const made = row.insertCell();
  made.textContent = text;
  if (className) made.className = className;
  return made;
}

function button(parent, label, name, work) {
  const made = document.createElement('button');
  made.type = 'button';
  made.textContent = label;
  made.setAttribute('aria-label', label + ' ' + name);
  made.addEventListener('click', () => {
    made.disabled = true;
    work().catch(show).finally(() => {
      made.disabled = false;
      refreshOrSay();
    });
  });
  parent.append(made);
}

const show = (error) => { state.textContent = error.message; };

async function showLog(name) {
  const { names } = await (await call('GET', '/api/functions/' + name + '/replicas')).json();
  const text = await (await call('GET', '/api/functions/' + name + '/logs/' + names[0] + '?tailLines=300')).text();
  document.getElementById('details').hidden = false;
  document.getElementById('title').textContent = 'Log of ' + name;
  const log = document.getElementById('log');
  log.textContent = text || 'Nothing was logged.';
  log.scrollTop = log.scrollHeight;
}

let drawn = '';

async function refresh() {
  const text = await (await call('GET', '/api/functions')).text();
  // Drawn again only after a change, so that a focused button keeps the focus.
  if (text === drawn) return;
  drawn = text;
  const all = Object.values(JSON.parse(text));
  document.getElementById('empty').hidden = all.length > 0;
  rows.replaceChildren();
  for (const one of all) {
    const { name, namespace, labels } = one.metadata;
    const isReady = one.status.state === 'ready';
    const row = rows.insertRow();
    cell(row, namespace);
    cell(row, name);
    cell(row, labels['nuclio.io/project-name']);
    cell(row, one.status.state, isReady ? 'ready' : 'other').title = one.status.message;
    cell(row, one.status.httpPort ? String(one.status.httpPort) : '');
    cell(row, isReady ? '1/1' : '0/1');
    const actions = row.insertCell();
    button(actions, 'Log', name, () => showLog(name));
    const next = isReady ? 'scaledToZero' : 'ready';
    button(actions, isReady ? 'Stop' : 'Start', name, () => call('PATCH', '/api/functions/' + name, { desiredState: next }));
    button(actions, 'Delete', name, async () => {
      if (confirm('Delete ' + name + ' with its container?')) await call('DELETE', '/api/functions', { metadata: { name } });
    });
  }
  state.textContent = all.length === 1 ? '1 function' : all.length + ' functions';
}

const refreshOrSay = () => refresh().catch((error) => {
  drawn = '';
  show(error);
});
refreshOrSay();
setInterval(refreshOrSay, 5000);
`;

export const pageFiles: readonly { readonly path: string; readonly type: string; readonly text: string }[] = [
  { path: '/', type: 'text/html; charset=utf-8', text: html },
  { path: '/dashboard.css', type: 'text/css; charset=utf-8', text: css },
  { path: '/dashboard.js', type: 'text/javascript; charset=utf-8', text: script },
];
