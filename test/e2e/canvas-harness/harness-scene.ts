import { makeShape } from '../../support/canvas-shape.ts';
import type { CanvasLabel, ShapeRecord } from '../../../renderer/canvas/types.ts';

function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const colors = [
  '#33ddff',
  '#fa3253',
  '#34d1b7',
  '#ff007c',
  '#ff6037',
  '#ddff33',
  '#24b353',
  '#b83df5',
  '#8c78f0',
  '#ffcc33',
];

export function makeLabels(count = 20): Map<number, CanvasLabel> {
  return new Map(
    Array.from({ length: count }, (_, place): [number, CanvasLabel] => [
      place + 1,
      { name: `label ${place + 1}`, color: colors[place % colors.length] ?? '#888888', type: 'any' },
    ]),
  );
}

export function makeCrowd(count: number, width: number, height: number): ShapeRecord[] {
  const random = createRandom(7);
  return Array.from({ length: count }, (_, place) => {
    const x = random() * width;
    const y = random() * height;
    const radius = 8 + random() * 32;
    const labelId = 1 + Math.floor(random() * 20);
    if (place % 2 === 0) {
      const points = [x - radius, y - radius * 0.7, x + radius, y + radius * 0.7];
      return makeShape(`shape-${place}`, 'rectangle', points, { labelId });
    }
    const points = Array.from({ length: 20 }, (_, vertex) => {
      const angle = (vertex / 20) * Math.PI * 2;
      const reach = radius * (0.7 + random() * 0.5);
      return [x + Math.cos(angle) * reach, y + Math.sin(angle) * reach];
    }).flat();
    return makeShape(`shape-${place}`, 'polygon', points, { labelId });
  });
}

function disc(left: number, top: number, diameter: number): number[] {
  const runs: number[] = [];
  let run = 0;
  let isSet = 0;
  for (let y = 0; y < diameter; y += 1) {
    for (let x = 0; x < diameter; x += 1) {
      const radius = diameter / 2;
      const far = Math.hypot(x + 0.5 - radius, y + 0.5 - radius);
      const value = far <= radius && far > radius / 3 ? 1 : 0;
      if (value === isSet) run += 1;
      else {
        runs.push(run);
        run = 1;
        isSet = value;
      }
    }
  }
  return [...runs, run, left, top, left + diameter - 1, top + diameter - 1];
}

export function makeGallery(): { shapes: ShapeRecord[]; labels: Map<number, CanvasLabel> } {
  const labels = makeLabels(10);
  labels.set(50, {
    name: 'person',
    color: '#ffcc33',
    type: 'skeleton',
    edges: [
      [51, 52],
      [52, 53],
      [52, 54],
    ],
  });
  const element = (labelId: number, x: number, y: number) => ({
    clientId: `element-${labelId}`,
    type: 'points' as const,
    labelId,
    points: [x, y],
    rotation: 0,
    occluded: false,
    outside: false,
    zOrder: 0,
    attributes: [],
  });
  const shapes = [
    makeShape('box', 'rectangle', [60, 60, 260, 190], { labelId: 1 }),
    makeShape('turned', 'rectangle', [340, 70, 540, 170], { labelId: 2, rotation: 30 }),
    makeShape('occluded', 'rectangle', [620, 60, 780, 190], { labelId: 3, occluded: true }),
    makeShape('ellipse', 'ellipse', [950, 130, 1070, 60], { labelId: 4, rotation: 15 }),
    makeShape('polygon', 'polygon', [80, 280, 180, 240, 280, 290, 260, 400, 170, 360, 90, 410], { labelId: 5 }),
    makeShape('polyline', 'polyline', [340, 270, 420, 390, 500, 280, 580, 400], { labelId: 6 }),
    makeShape('points', 'points', [660, 280, 720, 330, 680, 390, 780, 300], { labelId: 7 }),
    makeShape('mask', 'mask', disc(880, 250, 150), { labelId: 8 }),
    makeShape('cuboid', 'cuboid', [80, 520, 80, 680, 260, 520, 260, 680, 140, 470, 140, 630, 320, 470, 320, 630], {
      labelId: 9,
    }),
    makeShape('skeleton', 'skeleton', [], {
      labelId: 50,
      elements: [element(51, 460, 480), element(52, 470, 560), element(53, 420, 680), element(54, 520, 680)],
    }),
    makeShape('suggestion', 'rectangle', [620, 480, 780, 640], { labelId: 10, suggestion: true, score: 0.83 }),
    makeShape('locked', 'polygon', [860, 480, 1000, 460, 1060, 600, 900, 660], { labelId: 2, locked: true }),
    makeShape('tiny', 'rectangle', [1120, 500, 1130, 508], { labelId: 3 }),
  ];
  return { shapes, labels };
}
