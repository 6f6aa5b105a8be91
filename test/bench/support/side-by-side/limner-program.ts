import { mkdtempSync } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { signIn, type TestClient } from '../../../support/client.ts';
import { ownerPassword, startServer, type RunningServer } from '../../../support/server.ts';
import { openingEnvironment, pageOf, type BrowserPage } from './browser-window.ts';
import { colorOf, labelName, makePolygonFolder } from './material.ts';
import { endDescendants } from './processes.ts';
import { NotMeasured, type Context, type Opened, type Program } from './program.ts';
import type { Color } from './screen.ts';

const paintMs = 200_000;
const pollMs = 4;

interface Session {
  readonly context: Context;
  readonly server: RunningServer;
  readonly client: TestClient;
  readonly window: BrowserPage;
}

/**
 * `limner serve`, which opens Chromium as its window. `program` is the command line of a built checkout. The data
 * directory and the profile of Chromium were used once before, like those of the other programs.
 */
export function limnerProgram(name: string, version: string, program: string): Program {
  let session: Session | null = null;
  let template = '';
  const current = (): Session => {
    if (session === null) throw new Error(`${name} does not run.`);
    return session;
  };

  /** Starts the service with the data and the profile of a folder, which is removed at the end unless it is the template. */
  async function launch(context: Context, folder: string, password: string | null) {
    const profile = join(folder, 'profile');
    const began = Date.now();
    const server = await startServer({
      dataDir: join(folder, 'data'),
      program,
      password,
      isOpening: true,
      env: { ...context.screen.env, ...openingEnvironment(profile) },
    });
    const running = {
      began,
      pids: [server.pid],
      async stop() {
        session = null;
        await endDescendants(server.pid);
        await server.stop();
        if (folder !== template) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
      },
    };
    return { running, server, window: pageOf(profile) };
  }

  /** Creates a task from files in place. Returns its first job as soon as it can be opened. */
  async function makeTask(paths: readonly string[], isVideo = false): Promise<{ task: number; job: number }> {
    const { client } = current();
    const { id } = await client.createTask({ name: 'peers', labels: [{ name: labelName }] });
    const data = { sorting_method: 'natural', ...(isVideo ? {} : { open_early: true }) };
    const request = await client.useServerFiles(id, paths, data);
    for (;;) {
      const [job] = await client.jobs(id);
      if (job !== undefined) return { task: id, job: job.id };
      const { status, message } = await client.request(request);
      if (status === 'failed') throw new Error(message);
      await sleep(pollMs);
    }
  }

  /** Shows a page like a link in the window, without a load of the page. */
  const show = (path: string) =>
    current().window.evaluate(
      `history.pushState(null, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate')); 1`,
    );

  async function painted(color: Color, began: number): Promise<Opened> {
    const { at } = await current().context.screen.painted(color, paintMs);
    return { ms: at - began };
  }

  async function openPaths(paths: readonly string[], color: Color, isVideo = false): Promise<Opened> {
    const began = Date.now();
    const { task, job } = await makeTask(paths, isVideo);
    await show(`/tasks/${task}/jobs/${job}`);
    return painted(color, began);
  }

  return {
    name,
    version,
    async prepare(context) {
      template = mkdtempSync(join(context.folder, 'limner-'));
      const { running } = await launch(context, template, ownerPassword);
      await context.screen.still({ quiet: 1500, timeout: paintMs });
      await running.stop();
    },
    async start(context) {
      const folder = mkdtempSync(join(context.folder, 'limner-'));
      await cp(template, folder, { recursive: true, verbatimSymlinks: true });
      await rm(join(folder, 'profile', 'DevToolsActivePort'), { force: true });
      const { running, server, window } = await launch(context, folder, null);
      const client = await signIn({ ...server, password: ownerPassword });
      session = { context, server, client, window };
      return running;
    },
    openFolder: (folder, color) => openPaths([folder], color),
    async dropFolder(folder, color) {
      const began = await current().window.drop([folder]);
      return painted(color, began);
    },
    next: (color, timeout) => current().context.screen.painted(color, timeout, ['key', 'f']),
    async openPolygons(polygons) {
      const { context, client } = current();
      const folder = await makePolygonFolder(context.folder, polygons);
      const { task, job } = await makeTask([folder]);
      const [label] = await client.labels(task);
      const shapes = polygons.map((points) => ({
        type: 'polygon' as const,
        frame: 1,
        label_id: label?.id ?? 0,
        points: [...points],
      }));
      await client.changeAnnotations('jobs', job, 'create', { shapes });
      await show(`/tasks/${task}/jobs/${job}`);
      await context.screen.painted(colorOf(0), paintMs);
      await sleep(2000);
      const { ms } = await context.screen.still({
        quiet: 1500,
        timeout: paintMs,
        action: ['key', 'f'],
        left: 480,
        width: 960,
      });
      const changedAt = async () =>
        (await client.good<{ updated_date: string }>('GET', `/api/jobs/${job}`)).updated_date;
      const before = await changedAt();
      return {
        ms,
        async savedMs(since) {
          while ((await changedAt()) === before) {
            if (Date.now() - since > paintMs) throw new Error('The edit was not saved.');
            await sleep(pollMs);
          }
          return Date.now() - since;
        },
      };
    },
    async coco(folder, files, annotations) {
      const { client, context } = current();
      const { task } = await makeTask(files.map((file) => join(folder, file)));
      await sleep(3000);
      const beganImport = Date.now();
      await client.importAnnotations('tasks', task, 'COCO 1.0', { path: annotations });
      const importMs = Date.now() - beganImport;
      const beganExport = Date.now();
      await client.exportDataset('tasks', task, 'COCO 1.0', join(context.folder, 'coco.zip'));
      return { importMs, exportMs: Date.now() - beganExport };
    },
    openVideo: (file, color) => openPaths([file], color, true),
  };
}

export const notMeasured = (reason: string) => () => Promise.reject(new NotMeasured(reason));
