import { mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import sharp from 'sharp';
import { openEvents } from '../../main/analytics/event-repository.ts';
import type { ActivityEvent } from '../../preload/contract/schema/activity.ts';
import { polygonsToMask } from '../../preload/geometry/mask-polygons.ts';
import { behaviourOf } from '../../renderer/canvas/shapes/shape-behaviours.ts';
import { signIn } from './client.ts';
import { projectRoot } from './node-executable.ts';
import { below, createRandom } from './random.ts';
import { startServer } from './server.ts';
import { cars, drawing, height, joints, people, street, width, type Thing } from './street.ts';
import { takeGuidePictures } from './guide-pictures.ts';

/**
 * Takes the screenshots of the README (resources/screenshots) and of the guide (docs/guide/images):
 * `node test/support/make-screenshots.ts`, after `npm run build`. The service holds a drawn street,
 * annotated, predicted on and measured; Chromium shows the built screens. The month of work is
 * invented: its events are written to the events volume directly.
 */
const blueCar = { left: 526, top: 458, right: 690, bottom: 526 };
const pavement = polygonsToMask([[0, 430, 1280, 430, 1280, 468, 0, 468]], width, height) ?? [];
const outline = [
  852, 598, 856, 572, 894, 568, 933, 532, 951, 526, 1050, 526, 1068, 535, 1095, 568, 1149, 574, 1158, 595, 1158, 619,
  852, 619,
];

const server = await startServer({ entry: 'built' });
const client = await signIn(server);
const draw = (drawn: string): Promise<Buffer> => sharp(Buffer.from(drawn)).png().toBuffer();
const bytes = await draw(street(cars, people));
const images = ['street_01.png', 'street_02.png', 'street_03.png'].map((name) => ({ name, bytes }));
const sublabels = joints.map(({ name, color }) => ({ name, color, type: 'points' as const }));
const labels = [
  { name: 'car' },
  { name: 'person', type: 'skeleton' as const, svg: drawing, sublabels },
  { name: 'road' },
  { name: 'pavement', type: 'mask' as const },
];
const task = await client.taskWithImages({ name: 'Street scenes', labels }, images);
const made = await client.labels(task.id);
const labelId = (name: string) => made.find((label) => label.name === name)?.id ?? 0;
const pointIds = made.find(({ name }) => name === 'person')?.sublabels.map(({ id }) => id) ?? [];
const [job] = await client.jobs(task.id);
const jobId = job?.id ?? 0;
await client.changeAnnotations('jobs', jobId, 'create', {
  shapes: [
    { type: 'mask', frame: 0, label_id: labelId('pavement'), points: pavement },
    ...people.map(({ x: left, y: top, scale }) => ({
      type: 'skeleton' as const,
      frame: 0,
      label_id: labelId('person'),
      points: [],
      elements: joints.map(({ x, y }, index) => ({
        type: 'points' as const,
        frame: 0,
        label_id: pointIds[index] ?? 0,
        points: [left + x * scale, top + y * scale],
      })),
    })),
    { type: 'rectangle', frame: 0, label_id: labelId('car'), points: [128, 474, 366, 566] },
    {
      type: 'cuboid',
      frame: 0,
      label_id: labelId('car'),
      points: behaviourOf({ type: 'cuboid' }).pointsOfBox?.(blueCar) ?? [],
    },
    { type: 'polygon', frame: 0, label_id: labelId('car'), points: outline },
    { type: 'polyline', frame: 0, label_id: labelId('road'), points: [4, 591, 420, 591, 860, 592, 1276, 591] },
  ],
});

const folder = join(projectRoot, 'resources', 'screenshots');
mkdirSync(folder, { recursive: true });
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
const page = await context.newPage();
await page.goto(server.launchUrl);
await page.emulateMedia({ colorScheme: 'light' });
await page.goto(`${server.url}/tasks/${task.id}/jobs/${jobId}`);
await page.locator('[data-testid="frame-shown"]:not([data-picture="loading"])').waitFor({ state: 'attached' });
await page.waitForTimeout(800);
await page.screenshot({ path: join(folder, 'annotate-light.png') });

/** The same street some moments later, with its cars and people. */
const moments = Array.from({ length: 12 }, (_, frame) => ({
  cars: cars.map((one, index) => ({ ...one, x: one.x + (index === 1 ? -34 : 28) * frame })),
  people: people.map((one, index) => ({ ...one, x: one.x + (index === 2 ? -22 : 9) * frame })),
}));
const around = ({ x, y, scale }: Thing, [left, top, right, bottom]: readonly number[]) =>
  [x + (left ?? 0) * scale, y + (top ?? 0) * scale, x + (right ?? 0) * scale, y + (bottom ?? 0) * scale].map(
    (value, index) => Math.round(Math.min(index % 2 === 0 ? width : height, Math.max(0, value))),
  );
const boxes = moments.map((moment) =>
  [
    ...moment.cars.map((one) => ({ label: 'car', points: around(one, [8, 4, 212, 83]) })),
    ...moment.people.map((one) => ({ label: 'person', points: around(one, [6, 1, 34, 120]) })),
  ].filter(({ points: [left = 0, , right = 0] }) => right - left > 8),
);
const drawings = await Promise.all(moments.map((one) => draw(street(one.cars, one.people))));
const pictures = drawings.map((drawn, frame) => ({
  name: `crossing_${String(frame).padStart(3, '0')}.png`,
  bytes: drawn,
}));
const crossing = await client.taskWithImages(
  { name: 'Crossing, north', labels: [{ name: 'car' }, { name: 'person' }] },
  pictures,
);
const kinds = await client.labels(crossing.id);
const idOf = (name: string): number => kinds.find((label) => label.name === name)?.id ?? 0;
const truths = boxes.flatMap((all, frame) =>
  all.map(({ label, points }) => ({ type: 'rectangle' as const, frame, label_id: idOf(label), points })),
);
const [crossingJob] = await client.jobs(crossing.id);
await client.changeAnnotations('jobs', crossingJob?.id ?? 0, 'create', { shapes: truths });

/** Results of a detector that is up to `offPx` pixels off and misses one of `overlooked` objects. */
const detections = (offPx: number, overlooked: number) =>
  truths.flatMap((truth, index) => {
    const off = (index * 7) % (offPx + 1);
    const found = {
      ...truth,
      points: truth.points.map((value) => value + off),
      score: 0.98 - ((index * 13) % 60) / 100,
    };
    const beside = { ...found, points: [10, 300, 90, 380], score: 0.31 };
    return (index + 2) % overlooked === 0 ? (truth.frame % 3 === 1 ? [beside] : []) : [found];
  });
const sets: number[] = [];
for (const [name, shapes] of [
  ['detector, January', detections(14, 6)],
  ['detector, March', detections(5, 17)],
] as const) {
  const set = await client.good<{ id: number }>('POST', `/api/limner/tasks/${crossing.id}/predictions`, {
    json: { name },
  });
  await client.good('POST', `/api/limner/predictions/${set.id}/objects`, { json: { shapes } });
  await client.good('PATCH', `/api/limner/predictions/${set.id}`, { json: { state: 'ready' } });
  sets.push(set.id);
}
const report = await client.good<{ id: number; rq_id: string }>('POST', '/api/limner/evaluations', {
  json: { name: 'Crossing, spring', task_id: crossing.id, kind: 'bbox', predictions: sets },
});
await client.ended(report.rq_id);

/** A function at an address that finds the objects of the first image. */
const detector = createServer((request, answer) => {
  request.resume().on('end', () => {
    const results = (boxes[0] ?? []).map((one, index) => ({
      ...one,
      type: 'rectangle',
      confidence: String(0.97 - index / 20),
    }));
    answer.setHeader('Content-Type', 'application/json').end(JSON.stringify(results));
  });
});
await new Promise<void>((resolve) => detector.listen(0, '127.0.0.1', resolve));
const spec = JSON.stringify(['car', 'person'].map((name, id) => ({ id, name })));
await client.good('POST', '/api/models/endpoints', {
  json: {
    configuration: JSON.stringify({
      metadata: { name: 'street-objects', annotations: { name: 'Street objects', type: 'detector', spec } },
    }),
    url: `http://127.0.0.1:${(detector.address() as AddressInfo).port}/`,
  },
});

const guideFolder = join(projectRoot, 'docs', 'guide', 'images');
mkdirSync(guideFolder, { recursive: true });
const shoot = async (name: string): Promise<void> => {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await page.waitForTimeout(800);
  const taken = await page.screenshot();
  await sharp(taken)
    .webp({ quality: 80, effort: 6 })
    .toFile(join(guideFolder, `${name}.webp`));
};
await page.goto(`${server.url}/evaluations/${report.id}`);
await page.getByRole('heading', { name: 'Crossing, spring' }).waitFor();
await shoot('evaluation');
await page.goto(`${server.url}/evaluations/${report.id}/frames/1`);
await page.getByRole('heading', { name: 'Frame 1' }).waitFor();
await shoot('compared-frame');
await page.goto(`${server.url}/models/street-objects`);
await page
  .locator('input[type="file"]')
  .first()
  .setInputFiles({ name: 'crossing_000.png', mimeType: 'image/png', buffer: drawings[0] ?? bytes });
await page.getByRole('button', { name: 'Run' }).click();
await page.getByText('6 results').waitFor();
await shoot('models');

/** The same street as a sequence: what moves has tracks. */
const sequence = 60;
const speeds = { cars: [6, -7, -9], people: [3, 9, -6] };
const moved = (all: readonly Thing[], by: readonly number[], frame: number): Thing[] =>
  all.map((one, index) => ({ ...one, x: one.x + (by[index] ?? 0) * frame }));
const walk: { name: string; bytes: Buffer }[] = [];
for (let frame = 0; frame < sequence; frame += 1) {
  const drawn = street(moved(cars, speeds.cars, frame), moved(people, speeds.people, frame));
  const picture = await sharp(Buffer.from(drawn)).jpeg({ quality: 92 }).toBuffer();
  walk.push({ name: `morning_${String(frame).padStart(3, '0')}.jpg`, bytes: picture });
}
const morning = await client.taskWithImages(
  { name: 'Crossing, morning', labels: [{ name: 'car' }, { name: 'person' }] },
  walk,
);
const morningLabels = await client.labels(morning.id);
const morningId = (name: string): number => morningLabels.find((label) => label.name === name)?.id ?? 0;
/** Keyframes of each car and person, and the frame from which it is outside. */
const moving = [
  { of: 'cars', at: 0, keyframes: [0, 14, 31, 45, 59], gone: null },
  { of: 'cars', at: 1, keyframes: [0, 9, 20, 38, 59], gone: null },
  { of: 'cars', at: 2, keyframes: [6, 28, 47, 59], gone: null },
  { of: 'people', at: 0, keyframes: [4, 22, 40, 59], gone: null },
  { of: 'people', at: 1, keyframes: [0, 25, 40, 53], gone: 56 },
  { of: 'people', at: 2, keyframes: [12, 25, 33], gone: 48 },
] as const;
const tracks = moving.map(({ of, at, keyframes, gone }) => {
  const boxAt = (frame: number): number[] => {
    const [things, by, edges] =
      of === 'cars' ? [cars, speeds.cars, [8, 4, 212, 83]] : [people, speeds.people, [6, 1, 34, 120]];
    const thing = moved(things, by, frame)[at];
    return thing === undefined ? [] : around(thing, edges);
  };
  const shapes = [
    ...keyframes.map((frame) => ({ frame, outside: false })),
    ...(gone === null ? [] : [{ frame: gone, outside: true }]),
  ].map((one) => ({ ...one, type: 'rectangle' as const, points: boxAt(one.frame) }));
  return { frame: keyframes[0], label_id: morningId(of === 'cars' ? 'car' : 'person'), shapes };
});
const [morningJob] = await client.jobs(morning.id);
await client.changeAnnotations('jobs', morningJob?.id ?? 0, 'create', { tracks });
await page.goto(`${server.url}/tasks/${morning.id}/jobs/${morningJob?.id ?? 0}?frame=24`);
await page.locator('[data-testid="frame-shown"]:not([data-picture="loading"])').waitFor({ state: 'attached' });
await page.keyboard.press('Control+j');
await page.getByTestId('timeline-name').first().click();
await page.locator('[data-testid="object"][data-selected]').waitFor();
await page.mouse.move(640, 790);
await shoot('timeline');
// Whether the timeline is open is remembered for the next job.
await page.keyboard.press('Control+j');

// A month of work on two projects; nothing else is counted on these days.
const dayMs = 86_400_000;
const today = Math.floor(Date.now() / dayMs) * dayMs;
const random = createRandom(7);
const places: { project: number; task: number; jobs: number[]; label: number }[] = [];
for (const [name, label] of [
  ['Crossings', 'car'],
  ['Car parks', 'parked car'],
] as const) {
  const { id } = await client.createProject(name, [{ name: label }]);
  const made = await client.taskWithImages(
    { name: `${name}, spring`, project_id: id, segment_size: 2 },
    walk.slice(0, 48),
  );
  const jobs = (await client.jobs(made.id)).map((one) => one.id);
  places.push({ project: id, task: made.id, jobs, label: (await client.labels(made.id))[0]?.id ?? 0 });
}
const done = places.flatMap(({ project, task: taskId, jobs }) =>
  jobs.slice(0, 17).map((id) => ({ id, project, task: taskId })),
);
for (const { id } of done) await client.good('PATCH', `/api/jobs/${id}`, { json: { state: 'completed' } });
await client.good('PATCH', '/api/limner/analytics', { json: { enabled: true } });
const events: ActivityEvent[] = [];
const workdays = Array.from({ length: 29 }, (_, back) => today - (29 - back) * dayMs).filter(
  (day) => new Date(day).getUTCDay() % 6 !== 0,
);
const tools = ['rectangle', 'rectangle', 'polygon', 'mask'] as const;
for (const [index, day] of workdays.entries()) {
  const place = places[index % 3 === 2 ? 1 : 0];
  if (place === undefined) continue;
  const hours = [8, 9, 10, 11, 13, 14, 15, 16].slice(0, 6 + below(random, 3));
  for (const hour of hours) {
    const minutes = (hour === 10 || hour === 14 ? 40 : 24) + below(random, 14);
    for (let minute = 0; minute < minutes; minute += 1) {
      const common = {
        timestamp: new Date(day + hour * 3_600_000 + minute * 60_000).toISOString(),
        user_id: 1,
        user_name: server.user,
        project_id: place.project,
        task_id: place.task,
        job_id: place.jobs[index % place.jobs.length] ?? null,
        count: 1,
        duration: 0,
      };
      const isModel = below(random, 4) === 0;
      const obj_name = tools[below(random, tools.length)];
      const payload = JSON.stringify({ label_id: place.label, source: isModel ? 'auto' : 'manual' });
      const [objects, lasts] = [1 + below(random, 4), 5000 + below(random, 6000)];
      events.push({ ...common, scope: 'create:shapes', source: 'server', obj_name, payload, count: objects });
      if (!isModel)
        events.push({
          ...common,
          scope: 'draw:object',
          source: 'client',
          obj_name,
          count: objects,
          duration: objects * lasts,
        });
      events.push({
        ...common,
        scope: 'send:working_time',
        source: 'server',
        obj_name: 'working_time',
        obj_val: '60000',
      });
    }
  }
  for (const { id, project, task: taskId } of done.slice(
    Math.floor((index * done.length) / workdays.length),
    Math.floor(((index + 1) * done.length) / workdays.length),
  ))
    events.push({
      timestamp: new Date(day + 15 * 3_600_000).toISOString(),
      scope: 'update:job',
      source: 'server',
      obj_name: 'state',
      obj_val: 'completed',
      user_id: 1,
      user_name: server.user,
      project_id: project,
      task_id: taskId,
      job_id: id,
      count: 1,
      duration: 0,
      payload: JSON.stringify({ old_value: 'in progress' }),
    });
}
const volume = openEvents(join(server.dataDir, 'events', 'events.sqlite'));
volume.insert(events);
volume.close();
await page.goto(`${server.url}/analytics`);
await page.getByRole('region', { name: 'Objects per day', exact: true }).waitFor();
await shoot('analytics');

await takeGuidePictures({
  page,
  client,
  server,
  shoot,
  street: { task: task.id, job: jobId, crossing: crossing.id },
  images: walk.slice(0, 6),
});

detector.closeAllConnections();
detector.close();
await browser.close();
await server.stop();
