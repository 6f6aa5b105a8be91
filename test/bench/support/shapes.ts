import { createRandom } from '../../support/random.ts';

export interface PlainShape {
  readonly type: 'rectangle' | 'polygon';
  readonly frame: number;
  readonly label_id: number;
  readonly points: number[];
}

/** Half boxes, half polygons of 20 points, with two decimals, on frame 0. */
export function makeShapes(count: number, labelId: number, seed = 1): PlainShape[] {
  const random = createRandom(seed);
  const round = (value: number) => Math.round(value * 100) / 100;
  return Array.from({ length: count }, (_, index): PlainShape => {
    const [x, y] = [40 + random() * 560, 40 + random() * 400];
    const radius = 5 + random() * 30;
    const common = { frame: 0, label_id: labelId };
    if (index % 2 === 0) {
      return { ...common, type: 'rectangle', points: [x - radius, y - radius, x + radius, y + radius].map(round) };
    }
    const points = Array.from({ length: 20 }, (_corner, corner) => {
      const angle = (corner / 20) * 2 * Math.PI;
      return [round(x + radius * Math.cos(angle)), round(y + radius * Math.sin(angle))];
    });
    return { ...common, type: 'polygon', points: points.flat() };
  });
}
