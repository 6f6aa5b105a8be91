import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { polygonsToMask } from '../../../preload/geometry/mask-polygons.ts';
import { writeSkeletonSvg } from '../../../preload/geometry/skeleton-svg-writer.ts';
import type { LabeledDataInput } from '../../../preload/contract/schema/annotations.ts';
import { signIn } from '../client.ts';
import { projectRoot } from '../node-executable.ts';
import { startServer } from '../server.ts';
import {
  bananaOutline,
  bicycleOutline,
  bowlOutline,
  carBox,
  dogOutline,
  drawFruit,
  drawPark,
  drawReceipt,
  drawStreet,
  laneLine,
  onReceipt,
  personPoints,
  receiptLine,
  receiptOutline,
  sceneHeight,
  sceneWidth,
  signOutline,
  walkerBox,
  type Fruit,
  type Park,
  type Receipt,
  type Street,
} from './scenes.ts';

/**
 * Writes the sample project and the images of its card: `node test/support/sample-project/make.ts`, after
 * `npm run build`. The project is a CVAT backup, which the service exports.
 */
const folder = join(projectRoot, 'renderer', 'public', 'sample');
const imageScale = 2;
const [width, height] = [sceneWidth * imageScale, sceneHeight * imageScale];

const render = (drawn: string, scale: number) =>
  sharp(Buffer.from(drawn), { density: 72 * scale }).resize(sceneWidth * scale, sceneHeight * scale);
const imageOf = async (name: string, drawn: string, scale = imageScale) => ({
  name,
  bytes: await render(drawn, scale).jpeg({ quality: 82, mozjpeg: true }).toBuffer(),
});

const day = ['#9fc3e6', '#dfe9ee'] as const;
const evening = ['#8e9cc4', '#f2cfa8'] as const;
const parks: readonly Park[] = [
  { person: [0, 0], dog: [0, 0], bicycle: [0, 0], coat: '#3e6d8e', sky: day },
  { person: [-180, 14], dog: [250, 6], bicycle: null, coat: '#8e4a3e', sky: day },
  { person: [90, -6], dog: null, bicycle: [-330, 40], coat: '#4f7a52', sky: evening },
  { person: [-40, 8], dog: [-60, 10], bicycle: [30, -4], coat: '#6a4f8e', sky: evening },
];
const fruits: readonly (readonly Fruit[])[] = [
  [
    { kind: 'orange', center: [250, 196], radius: 58 },
    { kind: 'apple', center: [352, 182], radius: 60 },
    { kind: 'lime', center: [426, 214], radius: 46 },
    { kind: 'apple', center: [90, 326], radius: 40 },
  ],
  [
    { kind: 'lime', center: [236, 206], radius: 48 },
    { kind: 'orange', center: [330, 190], radius: 60 },
    { kind: 'orange', center: [420, 208], radius: 52 },
    { kind: 'orange', center: [84, 330], radius: 44 },
  ],
  [
    { kind: 'apple', center: [240, 200], radius: 54 },
    { kind: 'apple', center: [400, 196], radius: 58 },
    { kind: 'lime', center: [100, 334], radius: 36 },
    { kind: 'lime', center: [428, 366], radius: 26 },
  ],
];
const receipts: readonly Receipt[] = [
  {
    turn: -4,
    lines: [
      ['2 Rye bread', '7.80'],
      ['1 Butter roll', '1.40'],
      ['3 Apple cake', '9.60'],
      ['1 Coffee', '2.90'],
      ['Total EUR', '21.70'],
    ],
  },
  {
    turn: 6,
    lines: [
      ['1 Tea', '2.40'],
      ['2 Poppy cake', '6.20'],
      ['Total EUR', '8.60'],
    ],
  },
];
const streets: readonly Street[] = [
  { car: [402, 356], carScale: 1, carColor: '#a63a34', walker: 0, step: true },
  { car: [360, 330], carScale: 0.7, carColor: '#3b5f8f', walker: 330, step: false },
  { car: [430, 372], carScale: 1.15, carColor: '#d0a63a', walker: -40, step: true },
];
/** The car comes nearer, the pedestrian walks across the pavement. */
const crossing: readonly Street[] = Array.from({ length: 60 }, (_, frame) => {
  const near = frame / 59;
  return {
    car: [350 + 70 * near, 262 + 108 * near] as const,
    carScale: 0.25 + 0.9 * near,
    carColor: '#a63a34',
    walker: Math.round(-100 + 3.2 * frame),
    step: frame % 10 < 5,
  };
});

const photos = await Promise.all([
  ...parks.map((one, index) => imageOf(`park_${index + 1}.jpg`, drawPark(one))),
  ...fruits.map((one, index) => imageOf(`fruit_${index + 1}.jpg`, drawFruit(one))),
  ...receipts.map((one, index) => imageOf(`receipt_${index + 1}.jpg`, drawReceipt(one))),
  ...streets.map((one, index) => imageOf(`street_${index + 1}.jpg`, drawStreet(one))),
]);
const sequence = await Promise.all(
  crossing.map((one, frame) => imageOf(`crossing_${String(frame).padStart(2, '0')}.jpg`, drawStreet(one), 1)),
);

const joints = ['head', 'neck', 'left hand', 'right hand', 'hips', 'left foot', 'right foot'];
const personSvg = writeSkeletonSvg(
  joints.map((name, index) => {
    const [x = 0, y = 0] = personPoints[index] ?? [];
    return { name, x: (x - 311) / 0.95, y: (y - 146) / 1.95 };
  }),
  [
    [1, 2],
    [2, 3],
    [2, 4],
    [2, 5],
    [5, 6],
    [5, 7],
  ],
);
const labels = [
  {
    name: 'person',
    type: 'skeleton' as const,
    color: '#3e8ed0',
    svg: personSvg,
    sublabels: joints.map((name) => ({ name, type: 'points' as const })),
  },
  { name: 'dog', color: '#8a5a2c' },
  { name: 'bicycle', color: '#d0453e' },
  {
    name: 'car',
    color: '#e0a030',
    attributes: [
      { name: 'color', input_type: 'select' as const, mutable: false, values: ['red', 'blue', 'yellow', 'other'], default_value: 'red' },
      { name: 'moving', input_type: 'checkbox' as const, mutable: true, values: ['false'], default_value: 'false' },
    ],
  },
  { name: 'pedestrian', color: '#8a63d8' },
  { name: 'sign', type: 'polygon' as const, color: '#cf5487' },
  { name: 'lane', type: 'polyline' as const, color: '#24928c' },
  {
    name: 'fruit',
    color: '#6fae2e',
    attributes: [
      { name: 'kind', input_type: 'radio' as const, mutable: false, values: ['apple', 'orange', 'lime', 'banana'], default_value: 'apple' },
    ],
  },
  { name: 'bowl', type: 'polygon' as const, color: '#5277dc' },
  {
    name: 'text',
    type: 'polygon' as const,
    color: '#7d8593',
    attributes: [{ name: 'text', input_type: 'text' as const, mutable: false, values: [''], default_value: '' }],
  },
  {
    name: 'place',
    type: 'tag' as const,
    color: '#2a9463',
    attributes: [
      { name: 'where', input_type: 'select' as const, mutable: false, values: ['outdoors', 'indoors'], default_value: 'outdoors' },
    ],
  },
]; // prettier-ignore

const server = await startServer({ entry: 'built' });
try {
  const client = await signIn(server);
  const project = await client.createProject('Sample project', labels);
  const photoTask = await client.taskWithImages({ name: 'Images', project_id: project.id }, photos);
  const crossingTask = await client.taskWithImages({ name: 'Street, 60 frames', project_id: project.id }, sequence);
  const created = await client.labels(photoTask.id);
  const labelOf = (name: string) => {
    const found = created.find((label) => label.name === name);
    if (found === undefined) throw new Error(`No label named "${name}".`);
    return found;
  };
  const attribute = (label: string, name: string, value: string) => {
    const spec = labelOf(label).attributes.find((one) => one.name === name);
    if (spec?.id === undefined) throw new Error(`No attribute named "${name}" at "${label}".`);
    return { spec_id: spec.id, value };
  };
  const flat = (points: readonly (readonly number[])[], scale = imageScale): number[] =>
    points.flat().map((value) => value * scale);
  // The service sorts images by name.
  const frames = new Map(
    photos
      .map(({ name }) => name)
      .toSorted()
      .map((name, frame) => [name, frame]),
  );
  const place = (name: string, label: string) => ({ frame: frames.get(name) ?? 0, label_id: labelOf(label).id });
  const skeleton = labelOf('person');
  const receipt = receipts[0] as Receipt;
  const bounded = (box: readonly number[], scale: number) =>
    box.map((value, index) =>
      Math.min((index % 2 === 0 ? sceneWidth : sceneHeight) * scale, Math.max(0, value * scale)),
    );

  await annotate(photoTask.id, {
    tags: [
      { ...place('park_1.jpg', 'place'), attributes: [attribute('place', 'where', 'outdoors')] },
      { ...place('fruit_1.jpg', 'place'), attributes: [attribute('place', 'where', 'indoors')] },
    ],
    shapes: [
      {
        ...place('park_1.jpg', 'person'),
        type: 'skeleton',
        points: [],
        elements: personPoints.map((point, index) => ({
          type: 'points',
          frame: frames.get('park_1.jpg') ?? 0,
          label_id: skeleton.sublabels[index]?.id ?? 0,
          points: flat([point]),
        })),
      },
      { ...place('park_1.jpg', 'dog'), type: 'mask', points: polygonsToMask([flat(dogOutline)], width, height) ?? [] },
      { ...place('park_1.jpg', 'bicycle'), type: 'polygon', points: flat(bicycleOutline) },
      { ...place('fruit_1.jpg', 'bowl'), type: 'polygon', points: flat(bowlOutline) },
      {
        ...place('fruit_1.jpg', 'fruit'),
        type: 'ellipse',
        // Center, right end, top end.
        points: flat([
          [90, 326],
          [130, 286],
        ]),
        attributes: [attribute('fruit', 'kind', 'apple')],
      },
      {
        ...place('fruit_1.jpg', 'fruit'),
        type: 'mask',
        points: polygonsToMask([flat(bananaOutline)], width, height) ?? [],
        attributes: [attribute('fruit', 'kind', 'banana')],
      },
      ...[receiptOutline, ...receipt.lines.map((_, index) => receiptLine(index))].map((outline, index) => ({
        ...place('receipt_1.jpg', 'text'),
        type: 'polygon' as const,
        points: flat(outline.map((point) => onReceipt(receipt, point))),
        attributes: [attribute('text', 'text', receipt.lines[index - 1]?.join(' ') ?? 'Receipt')],
      })),
      {
        ...place('street_1.jpg', 'car'),
        type: 'rectangle',
        points: bounded(carBox(streets[0] as Street), imageScale),
        attributes: [attribute('car', 'color', 'red'), attribute('car', 'moving', 'true')],
      },
      {
        ...place('street_1.jpg', 'pedestrian'),
        type: 'rectangle',
        points: bounded(walkerBox(streets[0] as Street), imageScale),
      },
      { ...place('street_1.jpg', 'sign'), type: 'polygon', points: flat(signOutline) },
      { ...place('street_1.jpg', 'lane'), type: 'polyline', points: flat(laneLine) },
    ],
  });

  const keyframes = [0, 15, 30, 45, 59];
  const track = (
    label: string,
    boxOf: (street: Street) => readonly number[],
    mutable: readonly { spec_id: number; value: string }[] = [],
  ) => ({
    frame: 0,
    label_id: labelOf(label).id,
    shapes: keyframes.map((frame) => ({
      type: 'rectangle' as const,
      frame,
      points: bounded(boxOf(crossing[frame] as Street), 1),
      outside: false,
      attributes: [...mutable],
    })),
  });
  await annotate(crossingTask.id, {
    tracks: [
      {
        ...track('car', carBox, [attribute('car', 'moving', 'true')]),
        attributes: [attribute('car', 'color', 'red')],
      },
      track('pedestrian', walkerBox),
    ],
  });

  async function annotate(task: number, data: LabeledDataInput): Promise<void> {
    const [job] = await client.jobs(task);
    await client.changeAnnotations('jobs', job?.id ?? 0, 'create', data);
  }

  mkdirSync(folder, { recursive: true });
  const { rq_id: backup } = await client.good<{ rq_id: string }>('POST', `/api/projects/${project.id}/backup/export`);
  await client.download((await client.finished(backup)).result_url ?? '', join(folder, 'project.zip'));
} finally {
  await server.stop();
}

const cards = { park: parks[0], street: streets[0], receipt: receipts[0], fruit: fruits[0] };
for (const [name, drawn] of [
  ['park', drawPark(cards.park as Park)],
  ['street', drawStreet(cards.street as Street)],
  ['receipt', drawReceipt(cards.receipt as Receipt)],
  ['fruit', drawFruit(cards.fruit ?? [])],
] as const)
  // Twice the size on the card, for dense screens.
  writeFileSync(join(folder, `${name}.webp`), await render(drawn, 1).webp({ quality: 82 }).toBuffer());
