import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Batch } from '../../../preload/contract/schema/batches.ts';
import type { ModelFunction } from '../../../preload/contract/schema/functions.ts';
import type { ModelFileInspection } from '../../../preload/contract/schema/model-files.ts';
import { squareFinder, writeModel } from '../../support/onnx/square-finder.ts';
import { standInForContainer } from './container-function.ts';
import type { Workbench } from './workbench.ts';

export type Filled = Awaited<ReturnType<typeof fill>>;

const longName = 'Kreuzung Königstraße bei Regen, Kamera Nordost, Spätschicht, zweiter Durchgang mit Gegenlicht';

const models = ['detector, first training', 'detector, second training with more pictures of the night'] as const;
const kinds = ['car', 'person', 'Lichtsignalanlage für Fußgänger'] as const;

/** Position of an object on a frame; it moves a little with each frame. */
const boxOf = (frame: number, label_id: number, index: number, shift = 0) => ({
  frame,
  label_id,
  type: 'rectangle' as const,
  points: [20 + 70 * index + 3 * frame + shift, 40 + 20 * index, 80 + 70 * index + 3 * frame + shift, 130 + 20 * index],
});

/** An external detector that finds one box on each image and fails on each seventh. */
async function startDetector(): Promise<Server> {
  let calls = 0;
  const server = createServer((request, answer) => {
    request.resume().on('end', () => {
      calls += 1;
      const isBad = calls % 7 === 3;
      answer.writeHead(isBad ? 500 : 200, { 'Content-Type': 'application/json' });
      const found = [{ label: 'car', type: 'rectangle', points: [20, 40, 80, 130], confidence: '0.9' }];
      answer.end(JSON.stringify(isBad ? 'This picture is too dark for me' : found));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

/** Fills a workbench with every kind of content that a screen can show. */
export async function fill(workbench: Workbench) {
  const { service } = workbench;
  const { ask, finished } = service;
  const made = async (path: string, body: object, headers?: Record<string, string>): Promise<number> =>
    (await ask<{ id: number }>('POST', path, body, headers)).id;
  const requested = async (path: string, body: object = {}): Promise<void> => {
    const { rq_id: id } = await ask<{ rq_id: string }>('POST', path, body);
    await finished(id).catch(() => {});
  };
  await ask('PATCH', '/api/limner/analytics', { enabled: true });

  for (const username of ['annotator', 'reviewer']) {
    const [password1, password2] = ['a long password of words', 'a long password of words'];
    await ask('POST', '/api/auth/register', { username, email: `${username}@example.org`, password1, password2 });
  }
  const users = await ask<{ results: { id: number; username: string }[] }>('GET', '/api/users');
  const idOf = (name: string): number => users.results.find(({ username }) => username === name)?.id ?? 0;

  const project = await made('/api/projects', {
    name: 'Street scenes 2026',
    labels: kinds.map((name, index) => ({
      name,
      attributes:
        index === 0
          ? [
              { name: 'colour', mutable: false, input_type: 'select', default_value: 'red', values: ['red', 'blue'] },
              { name: 'covered', mutable: true, input_type: 'checkbox', default_value: 'false', values: ['false'] },
            ]
          : [],
    })),
  });
  await made('/api/projects', { name: longName });
  const { results: labels } = await ask<{ results: { id: number }[] }>('GET', `/api/labels?project_id=${project}`);
  const [car = 0, person = 0, lights = 0] = labels.map(({ id }) => id);
  const frames = [0, 1, 2, 3, 4, 5];
  const truth = frames.flatMap((frame) => [boxOf(frame, car, 0), boxOf(frame, person, 1), boxOf(frame, lights, 2)]);

  const tasks: number[] = [];
  for (const name of ['Kölner Ring', longName, 'Deutz, night', 'not begun']) {
    tasks.push(await service.makeTask(name, { images: frames.length, segment_size: 2, project_id: project }));
  }
  const [task = 0, second = 0, third = 0] = tasks;
  await ask('PATCH', `/api/tasks/${task}`, { subset: 'Train', bug_tracker: 'https://example.org/issues/7' });
  await ask('PATCH', `/api/tasks/${second}`, { subset: 'Validation' });
  for (const [at, id] of [task, second].entries()) {
    await ask('PUT', `/api/tasks/${id}/annotations/`, { shapes: truth.slice(2 * at + 1) });
    for (const [model, shift] of [
      [models[0], 18],
      [models[1], 3],
    ] as const) {
      const shapes = truth.map((shape, index) => ({
        ...boxOf(shape.frame, index % 5 === 4 && shift > 5 ? car : shape.label_id, index % 3, shift * (index % 2)),
        score: 0.4 + (index % 6) / 10,
      }));
      await service.makePredictions(id, model, { shapes });
    }
    const job = await made('/api/jobs', {
      type: 'ground_truth',
      task_id: id,
      frame_selection_method: 'manual',
      frames: frames.slice(0, 4),
    });
    await ask('PUT', `/api/jobs/${job}/annotations`, { shapes: truth.filter(({ frame }) => frame < 4) });
    await ask('PATCH', `/api/jobs/${job}`, { stage: 'acceptance', state: 'completed' });
  }
  await ask('PUT', `/api/tasks/${third}/annotations/`, { shapes: truth.slice(0, 5) });
  const jobs = await service.jobsOf(task);
  const [job = 0, next = 0, last = 0] = jobs;
  await ask('PATCH', `/api/jobs/${job}`, { state: 'completed', stage: 'acceptance', assignee: idOf('annotator') });
  await ask('PATCH', `/api/jobs/${next}`, { state: 'in progress', assignee: idOf('reviewer') });
  await ask('PATCH', `/api/jobs/${last}`, { stage: 'validation', state: 'in progress' });
  for (const id of await service.jobsOf(second))
    await ask('PATCH', `/api/jobs/${id}`, { state: 'completed', stage: 'acceptance' });

  const issue = await made('/api/issues', { frame: 0, position: [30, 40, 80, 90], job, message: 'Wheel is cut off' });
  await made('/api/comments', { issue, message: longName });
  await made('/api/issues', { frame: 3, position: [10, 10], job: next, message: 'Whose car is this?', resolved: true });
  const markdown = `# How we draw\n\n- **Cars**: to the wheels, not to the shadow\n- People: without umbrellas\n\n| Label | Shape |\n|---|---|\n| car | box |\n\n${longName}\n`;
  await made('/api/guides', { project_id: project, markdown });

  const set = await ask<{ results: { id: number }[] }>('GET', `/api/limner/tasks/${task}/predictions`);
  const measure = async (path: string, body: object): Promise<number> => {
    const { id, rq_id: request } = await ask<{ id: number; rq_id: string }>('POST', path, body);
    await finished(request);
    return id;
  };
  const evaluation = await measure('/api/limner/evaluations', {
    name: 'Kölner Ring, November',
    task_id: task,
    kind: 'bbox',
    predictions: set.results.map(({ id }) => id),
  });
  const ofProject = await measure(`/api/limner/projects/${project}/evaluations`, {
    name: 'Both tasks',
    predictions: models,
    kind: 'bbox',
  });
  await requested('/api/quality/reports', { task_id: task });
  await requested('/api/quality/reports', { project_id: project });

  const failed = await made('/api/tasks', { name: 'Broken archive', labels: [{ name: 'car' }] });
  const form = new FormData();
  form.set('image_quality', '70');
  form.set('client_files[0]', new Blob(['no picture']), 'ein-Archiv-mit-einem-sehr-langen-Namen-vom-Montag.zip');
  const started = await ask<{ rq_id: string }>('POST', `/api/tasks/${failed}/data/`, form);
  await finished(started.rq_id).catch(() => {});
  const empty = await made('/api/tasks', { name: 'Without images', labels: [{ name: 'car' }] });
  const own = await service.makeTask('quay', { images: 3, labels: [{ name: 'boat' }] });
  await ask('PATCH', `/api/tasks/${own}/annotations/?action=create`, {
    shapes: [
      boxOf(0, (await ask<{ results: { id: number }[] }>('GET', `/api/labels?task_id=${own}`)).results[0]?.id ?? 0, 0),
    ],
  });
  await requested(`/api/tasks/${task}/dataset/export?format=${encodeURIComponent('COCO 1.0')}&save_images=false`);
  await requested(`/api/projects/${project}/backup/export`);

  const git = join(workbench.folder, 'data.git');
  execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=main', git]);
  for (const [owner, folder] of [
    [`projects/${project}`, 'streets'],
    [`tasks/${own}`, 'quay'],
  ] as const) {
    await ask('PUT', `/api/limner/${owner}/git`, { address: git, branch: 'main', folder });
    await ask('POST', `/api/limner/${owner}/git/push`, { message: longName });
  }
  await ask('PATCH', `/api/tasks/${third}/annotations/?action=create`, { shapes: [boxOf(5, car, 2)] });
  await ask('POST', `/api/limner/projects/${project}/git/push`, { message: 'One car more' });
  await ask('PATCH', `/api/tasks/${third}/annotations/?action=create`, { shapes: [boxOf(4, car, 1)] });
  await made('/api/limner/ssh-keys', { name: 'this computer' });
  await ask('POST', '/api/auth/access_tokens', { name: 'nightly export', read_only: true });

  const organization = await made('/api/organizations', {
    slug: 'bildverarbeitung',
    name: 'Bildverarbeitung Süd, Standort Freiburg im Breisgau',
    description: 'Streets and harbours',
  });
  for (const username of ['annotator', 'someone']) {
    const email = `${username}@example.org`;
    await ask('POST', `/api/invitations?org_id=${organization}`, { role: 'worker', email });
  }

  const receiver = await ask<{ address?: string; url?: string }>('POST', '/api/limner/webhook-receiver', {});
  const hook = (target_url: string, description: string) =>
    made('/api/webhooks', {
      target_url,
      events: ['update:job', 'create:task', 'update:task'],
      type: 'project',
      project_id: project,
      content_type: 'application/json',
      enable_ssl: false,
      is_active: true,
      secret: 'street',
      description,
    });
  const webhook = await hook(
    receiver.address ?? receiver.url ?? 'http://127.0.0.1:9/',
    'Tells the dashboard about jobs',
  );
  const failing = await hook('http://127.0.0.1:9/a/rather/long/path/of/an/address/that/nobody/answers', longName);
  await ask('POST', `/api/webhooks/${webhook}/ping`);
  await ask('PATCH', `/api/jobs/${last}`, { state: 'completed' });
  await ask('PATCH', `/api/jobs/${last}`, { state: 'rejected' });

  const detector = await startDetector();
  const spec = '[{"id":0,"name":"car"}]';
  for (const [name, title] of [
    ['finder', 'Finder of cars'],
    ['far-away', longName],
  ] as const) {
    await ask('POST', '/api/models/endpoints', {
      configuration: JSON.stringify({ metadata: { name, annotations: { name: title, type: 'detector', spec } } }),
      url: `http://127.0.0.1:${(detector.address() as AddressInfo).port}/`,
    });
  }
  const modelFile = writeModel(join(workbench.folder, 'squares.onnx'), squareFinder());
  const { id, description } = await ask<ModelFileInspection>('POST', '/api/models/files/inspect', { path: modelFile });
  await ask('POST', '/api/models/files', { id, description, name: 'squares' });
  await standInForContainer(workbench.page, await ask<ModelFunction>('GET', '/api/models/functions/finder'));
  for (const [results, ids] of [
    ['annotations', [own]],
    ['predictions', [task, second]],
  ] as const) {
    const body = {
      function: 'finder',
      targets: ids.map((id) => ({ task: id })),
      results,
      mapping: results === 'annotations' ? { car: { name: 'boat' } } : undefined,
      name: 'Finder, at night',
    };
    const batch = await made('/api/models/batches', body);
    for (;;) {
      const { state } = await ask<Batch>('GET', `/api/models/batches/${batch}`);
      if (state === 'finished' || state === 'failed') break;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  const native = await made('/api/functions', {
    provider: 'native',
    name: 'Finder of boats, with its own Python',
    visibility: 'public',
    kind: 'detector',
    labels_v2: [{ name: 'car' }, { name: 'boat', type: 'rectangle' }],
  });
  // No agent runs it, so this batch stays pending.
  await made('/api/models/batches', { function: `native:${native}`, targets: [{ task: own }], mapping: {} });
  mkdirSync(join(workbench.folder, 'backups'));
  await ask('PATCH', '/api/limner/backups', { folder: join(workbench.folder, 'backups') });
  await ask('POST', '/api/limner/backups', {});

  return {
    service,
    ids: {
      project,
      task,
      second,
      job,
      next,
      failed,
      empty,
      own,
      evaluation,
      ofProject,
      organization,
      webhook,
      failing,
      native,
    },
    async close(): Promise<void> {
      detector.closeAllConnections();
      await new Promise((resolve) => detector.close(resolve));
    },
  };
}
