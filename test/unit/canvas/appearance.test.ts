import { describe, expect, it } from 'vitest';
import { defaultAppearance, safePalette, shapeColor } from '../../../renderer/canvas/appearance.ts';
import { shapeText } from '../../../renderer/canvas/shape-text.ts';
import type { Appearance, CanvasLabel } from '../../../renderer/canvas/types.ts';
import { makeShape } from '../../support/canvas-shape.ts';

const labels = new Map<number, CanvasLabel>([
  [
    1,
    {
      name: 'car',
      color: '#112233',
      type: 'any',
      order: 0,
      attributeNames: new Map([
        [5, 'parked'],
        [6, 'doors'],
        [7, 'colour'],
      ]),
    },
  ],
  [2, { name: 'tree', color: '#445566', type: 'any', order: 1 }],
]);
const colored = (shape: Parameters<typeof shapeColor>[0], change: Partial<Appearance>): string =>
  shapeColor(shape, { ...defaultAppearance, ...change }, labels);

describe('colours of shapes', () => {
  const of = (change: object) => ({ clientId: 'a', labelId: 1, group: 0, ...change });

  it('are the label’s, or those of a colour-blind safe palette', () => {
    expect(colored(of({}), {})).toBe('#112233');
    expect(colored(of({}), { palette: 'safe' })).toBe(safePalette[0]);
    expect(colored(of({ labelId: 2 }), { palette: 'safe' })).toBe(safePalette[1]);
  });

  it('are one for each track, for any label, and one for all other objects', () => {
    const track = colored(of({ trackId: 'a' }), { colorBy: 'track' });
    expect(colored(of({ trackId: 'a', labelId: 2 }), { colorBy: 'track' })).toBe(track);
    expect(colored(of({ trackId: 'b' }), { colorBy: 'track' })).not.toBe(track);
    expect(colored(of({}), { colorBy: 'track' })).toBe(colored(of({ labelId: 2 }), { colorBy: 'track' }));
  });

  it('are one for each group and for each object', () => {
    expect(colored(of({ group: 1 }), { colorBy: 'group' })).not.toBe(colored(of({ group: 2 }), { colorBy: 'group' }));
    expect(colored(of({}), { colorBy: 'instance' })).not.toBe(colored(of({ clientId: 'b' }), { colorBy: 'instance' }));
  });
});

describe('the text beside a shape', () => {
  const shape = makeShape('a', 'rectangle', [0, 0, 9, 9], {
    serverId: 12,
    labelId: 1,
    score: 0.874,
    source: 'auto',
    attributes: [
      { spec_id: 5, value: 'true' },
      { spec_id: 6, value: '4' },
      { spec_id: 7, value: 'red' },
    ],
  });

  it('contains the selected parts, in one order', () => {
    const label = labels.get(1);
    expect(shapeText(shape, label, ['label'])).toBe('car');
    expect(shapeText(shape, label, ['id', 'label', 'attributes', 'score', 'source'])).toBe(
      '12 car parked, doors 4, red 87% auto',
    );
    expect(shapeText(shape, label, [])).toBe('');
  });

  it('omits missing parts, and always contains the score of a suggestion', () => {
    const { serverId: _, ...fresh } = shape;
    expect(shapeText({ ...fresh, score: 1, source: 'manual' }, labels.get(2), ['id', 'label', 'score'])).toBe('tree');
    expect(shapeText({ ...shape, suggestion: true }, labels.get(1), ['label'])).toBe('car 87%');
  });
});
