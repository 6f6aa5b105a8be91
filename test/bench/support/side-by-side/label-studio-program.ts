import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { openWindow, type BrowserWindow } from './browser-window.ts';
import { prepareEnvironment, versionOf } from './environments.ts';
import { notMeasured } from './limner-program.ts';
import { labelName } from './material.ts';
import { start } from './processes.ts';
import { NotMeasured, type Context, type Opened, type Program } from './program.ts';
import type { Color } from './screen.ts';

const run = promisify(execFile);

const readyMs = 300_000;
const paintMs = 200_000;
const pollMs = 20;
const account = { email: 'peers@example.com', password: 'a password for tests' };
const labelConfig = `<View><PolygonLabels name="label" toName="image"><Label value="${labelName}"/></PolygonLabels><Image name="image" value="$image"/></View>`;

interface Session {
  readonly context: Context;
  readonly url: string;
  readonly window: BrowserWindow;
}

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });

/** Label Studio on SQLite, and Chromium as its window. The database and the signed-in profile are prepared once. */
export function labelStudioProgram(): Program {
  let python = '';
  let template = '';
  let port = 0;
  let session: Session | null = null;
  const current = (): Session => {
    if (session === null) throw new Error('Label Studio does not run.');
    return session;
  };

  /** A request of the page, which is signed in. */
  const ask = <Answer>(method: string, path: string, body?: object): Promise<Answer> =>
    current().window.evaluate<Answer>(
      `fetch(${JSON.stringify(path)}, { method: ${JSON.stringify(method)}, headers: { 'Content-Type': 'application/json', ` +
        `'X-CSRFToken': (/csrftoken=([^;]+)/.exec(document.cookie) ?? [])[1] ?? '' }, ` +
        `body: ${body === undefined ? 'undefined' : JSON.stringify(JSON.stringify(body))} })` +
        `.then(async (answer) => { const text = await answer.text(); if (!answer.ok) throw new Error(answer.status + text.slice(0, 300)); return text === '' ? null : JSON.parse(text); })`,
    );

  async function launch(context: Context, folder: string) {
    const url = `http://127.0.0.1:${port}`;
    const server = start(
      python,
      [
        '-c',
        'from label_studio.server import main; main()',
        'start',
        '--no-browser',
        `--port=${port}`,
        `--data-dir=${join(folder, 'data')}`,
        `--username=${account.email}`,
        `--password=${account.password}`,
      ],
      {
        ...context.screen.env,
        HOME: folder,
        COLLECT_ANALYTICS: 'False',
        SENTRY_DSN: '',
        FRONTEND_SENTRY_DSN: '',
        LATEST_VERSION_CHECK: 'False',
        LABEL_STUDIO_LOCAL_FILES_SERVING_ENABLED: 'true',
        LABEL_STUDIO_LOCAL_FILES_DOCUMENT_ROOT: '/',
      },
    );
    server.child.stdout?.resume();
    const until = Date.now() + readyMs;
    while (!(await answers(`${url}/health`))) {
      if (Date.now() > until || server.child.exitCode !== null) throw new Error('Label Studio does not answer.');
      await sleep(pollMs);
    }
    return { server, url };
  }

  /** A migrated database with an account, and a profile of Chromium that is signed in. */
  async function createTemplate(context: Context, folder: string): Promise<void> {
    const { server, url } = await launch(context, folder);
    const window = openWindow(`${url}/user/login/`, {
      folder,
      env: context.screen.env,
      profile: join(folder, 'profile'),
    });
    try {
      await context.screen.still({ quiet: 1500, timeout: 60_000 });
      const fields = JSON.stringify({ ...account, persist_session: 'on' });
      await window.evaluate(
        `(() => { const form = document.querySelector('form'); for (const [name, value] of Object.entries(${fields})) ` +
          `{ const field = form.elements[name]; if (field) { field.value = value; field.checked = true; } } form.submit(); return 1; })()`,
      );
      await context.screen.still({ quiet: 3000, timeout: 60_000 });
    } finally {
      await window.process.stop();
      await server.stop();
    }
  }

  /** A project that serves the files of a folder. Returns its id. */
  async function createProject(folder: string): Promise<{ project: number; storage: number }> {
    const { id: project } = await ask<{ id: number }>('POST', '/api/projects', {
      title: 'peers',
      label_config: labelConfig,
    });
    const options = { project, title: 'folder', path: folder, use_blob_urls: true, regex_filter: '.*jpg' };
    const { id: storage } = await ask<{ id: number }>('POST', '/api/storages/localfiles', options);
    return { project, storage };
  }

  async function show(project: number, task: number): Promise<void> {
    await current().window.evaluate(`setTimeout(() => location.assign('/projects/${project}/data?task=${task}')); 1`);
  }

  async function openFolder(folder: string, color: Color): Promise<Opened> {
    const began = Date.now();
    const { project, storage } = await createProject(folder);
    await ask('POST', `/api/storages/localfiles/${storage}/sync`);
    const { tasks } = await ask<{ tasks: { id: number }[] }>('GET', `/api/tasks?project=${project}&page_size=1`);
    await show(project, tasks[0]?.id ?? 0);
    const { at } = await current().context.screen.painted(color, paintMs);
    return { ms: at - began };
  }

  return {
    name: 'Label Studio',
    version: versionOf('label-studio'),
    async prepare(context) {
      const environment = await prepareEnvironment('label-studio');
      python = join(environment, 'bin', 'python');
      port = await freePort();
      template = join(environment, 'template');
      if (existsSync(template)) return;
      const partial = mkdtempSync(join(context.folder, 'label-studio-'));
      await createTemplate(context, partial);
      cpSync(partial, template, { recursive: true });
    },
    async start(context) {
      const folder = mkdtempSync(join(context.folder, 'label-studio-run-'));
      cpSync(template, folder, { recursive: true });
      const began = Date.now();
      const { server, url } = await launch(context, folder);
      const window = openWindow(`${url}/projects`, {
        folder,
        env: context.screen.env,
        profile: join(folder, 'profile'),
      });
      session = { context, url, window };
      return {
        began,
        pids: [server.pid, window.process.pid],
        async stop() {
          session = null;
          await window.process.stop();
          await server.stop();
          await rm(folder, { recursive: true, force: true });
        },
      };
    },
    openFolder,
    dropFolder: notMeasured('a drop on its import page is not driven by this benchmark'),
    async next(color, timeout) {
      const { window, context } = current();
      // The row below the marked one in the list beside the image.
      const row = await window.evaluate<{ x: number; y: number } | null>(
        `(() => { const rows = [...document.querySelectorAll('[class*="table-row"], [class*="table__row"]')]` +
          `.filter((row) => row.getBoundingClientRect().height > 10); ` +
          `const marked = rows.findIndex((row) => /highlighted|selected|active/.test(row.className) || row.querySelector('[class*="highlighted"]')); ` +
          `const box = rows[marked + 1]?.getBoundingClientRect(); ` +
          `return marked < 0 || box === undefined ? null : { x: Math.round(box.x + 40), y: Math.round(box.y + box.height / 2) }; })()`,
      );
      if (row === null) throw new NotMeasured('no row of the next image was found on its page');
      return context.screen.painted(color, timeout, ['click', row.x, row.y]);
    },
    openPolygons: notMeasured('a shape has to be selected before it can be dragged, which this benchmark does not do'),
    async coco(folder, _files, annotations) {
      const { project } = await createProject(folder);
      const script = join(import.meta.dirname, 'label_studio_coco.py');
      const tasks = join(current().context.folder, 'label-studio-tasks.json');
      const { stdout } = await run(python, [script, folder, annotations, tasks], {
        maxBuffer: 2 ** 26,
        timeout: paintMs,
      });
      const { convertMs } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as { convertMs: number };
      const body = JSON.parse(readFileSync(tasks, 'utf8')) as object;
      const beganImport = Date.now();
      await ask('POST', `/api/projects/${project}/import`, body);
      const importMs = convertMs + Date.now() - beganImport;
      const beganExport = Date.now();
      await current().window.evaluate(
        `fetch('/api/projects/${project}/export?exportType=COCO').then((answer) => answer.arrayBuffer()).then((bytes) => bytes.byteLength)`,
      );
      return { importMs, exportMs: Date.now() - beganExport };
    },
    openVideo: notMeasured('not part of this benchmark: a video needs its own labelling configuration'),
  };
}

async function answers(url: string): Promise<boolean> {
  try {
    const answer = await fetch(url);
    await answer.text();
    return answer.ok;
  } catch {
    return false;
  }
}
