import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sharedFolder } from '../../support/temporary-folder.ts';
import { runHere } from './support/run-here.ts';

const folder = sharedFolder();
const file = (name: string, content: unknown): string => {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify(content));
  return path;
};
const [car, bus] = [1, 2];
const annotation = (id: number, category_id: number, left: number, iscrowd = 0) => ({
  id,
  image_id: 1,
  category_id,
  bbox: [left, 0, 10, 10],
  area: 100,
  iscrowd,
});
const result = (category_id: number, score: number, left: number) => ({
  image_id: 1,
  category_id,
  score,
  bbox: [left, 0, 10, 10],
});

// A detected car, a car with the label "bus", a missed one, and a crowd of buses.
const files = () => [
  '--truth',
  file('truth.json', {
    images: [{ id: 1, width: 320, height: 240 }],
    categories: [
      { id: car, name: 'car' },
      { id: bus, name: 'bus' },
    ],
    annotations: [annotation(1, car, 0), annotation(2, car, 50), annotation(3, car, 100), annotation(4, bus, 150, 1)],
  }),
  '--predictions',
  file('results.json', [
    result(car, 0.9, 0),
    result(bus, 0.8, 50),
    result(bus, 0.7, 150),
    result(car, 0.6, 200),
    result(car, 0.2, 100),
  ]),
];

it('counts true, false and missed detections and confusions at an overlap and a score', async () => {
  const given = [...files(), '--iou-threshold', '0.5', '--score-threshold', '0.5'];
  const { exitCode, output } = await runHere(['evaluate', ...given, '--json']);
  expect(exitCode).toBe(0);
  const { AP50, at_iou_threshold: one } = JSON.parse(output) as { AP50: number; at_iou_threshold: object };
  expect(AP50).toBeGreaterThan(0);
  expect(one).toMatchObject({
    iou_threshold: 0.5,
    score_threshold: 0.5,
    labels: [
      { name: 'car', hits: 1, missed: 2, extra: 1, precision: 1 / 2, recall: 1 / 3, f1: 2 / 5 },
      { name: 'bus', hits: 0, missed: 0, extra: 1, precision: 0, recall: -1, f1: 0 },
    ],
    all: { hits: 1, missed: 2, extra: 2 },
    confusion: {
      labels: ['car', 'bus'],
      counts: [
        [1, 1, 1],
        [0, 0, 0],
        [1, 0, 0],
      ],
    },
  });
  const table = await runHere(['evaluate', ...given]);
  expect(table.output).toMatch(/^car +1 +2 +1 +0\.500 +0\.333 +0\.400$/m);
  expect(table.output).toMatch(/^ +1 {2}car taken for bus$/m);
});

it('chooses the score of the best F1 by default', async () => {
  const { output } = await runHere(['evaluate', ...files(), '--iou-threshold', '0.5', '--json']);
  // With all five results, two of three are found, and one of four is a false positive. Above 0.2 fewer are found.
  expect(JSON.parse(output)).toMatchObject({
    at_iou_threshold: { score_threshold: 0, all: { hits: 2, missed: 1, extra: 2, f1: 4 / 7 } },
  });
});

it.each([
  [['--score-threshold', '0.5'], /--score-threshold needs --iou-threshold/],
  [['--iou-threshold', '0'], /above 0/],
  [['--iou-threshold', '0.5', '--score-threshold', '0.255'], /at most two decimals/],
])('refuses %j', async (options, message) => {
  const { exitCode, errorOutput } = await runHere(['evaluate', ...files(), ...options]);
  expect(errorOutput).toMatch(message);
  expect(exitCode).toBe(2);
});
