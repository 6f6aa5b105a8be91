import type { ElementRecord, ShapeRecord, ShapeType, TagRecord } from '../../renderer/canvas/types.ts';

export function makeShape(
  clientId: string,
  type: ShapeType,
  points: readonly number[],
  more: Partial<ShapeRecord> = {},
): ShapeRecord {
  return {
    kind: 'shape',
    clientId,
    type,
    frame: 0,
    labelId: 1,
    points,
    rotation: 0,
    occluded: false,
    outside: false,
    zOrder: 0,
    group: 0,
    attributes: [],
    source: 'manual',
    score: 1,
    locked: false,
    hidden: false,
    ...more,
  };
}

export const makeElement = (clientId: string, labelId: number, points: readonly number[]): ElementRecord => ({
  clientId,
  labelId,
  points,
  type: 'points',
  rotation: 0,
  occluded: false,
  outside: false,
  zOrder: 0,
  attributes: [],
});

export const makeTag = (clientId: string, labelId: number, more: Partial<TagRecord> = {}): TagRecord => ({
  kind: 'tag',
  clientId,
  frame: 0,
  labelId,
  group: 0,
  attributes: [],
  source: 'manual',
  locked: false,
  hidden: false,
  ...more,
});
