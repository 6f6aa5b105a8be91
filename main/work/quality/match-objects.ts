import type { QualityChoices } from '../../../preload/contract/schema/quality.ts';
import { assign } from './assignment.ts';
import type { ComparedObject, ImageSize } from './compared-object.ts';
import type { Pixels } from './pixels.ts';
import { kindOf, similarity } from './similarity.ts';

export interface Pair {
  readonly truth: ComparedObject;
  readonly object: ComparedObject;
  readonly similarity: number;
}

export interface Comparing {
  readonly size: ImageSize;
  readonly choices: QualityChoices;
  readonly pixels: (object: ComparedObject) => Pixels;
}

/** Pairs objects of one kind, whatever their labels, so that all pairs together are as alike as they can be. */
export function matchObjects(
  truths: readonly ComparedObject[],
  objects: readonly ComparedObject[],
  comparing: Comparing,
): Pair[] {
  const pairs: Pair[] = [];
  for (const kind of new Set(truths.map(kindOf))) {
    const [ours, theirs] = [truths, objects].map((all) => all.filter((one) => kindOf(one) === kind));
    if (!ours || !theirs) continue;
    const table = ours.map((truth) => theirs.map((object) => similarity(truth, object, comparing)));
    const at = (row: number, column: number): number => {
      const value = table[row]?.[column] ?? 0;
      return value > 0 && value >= comparing.choices.iou_threshold ? value : 0;
    };
    assign(ours.length, theirs.length, (row, column) => 1 - at(row, column)).forEach((column, row) => {
      const [truth, object] = [ours[row], theirs[column]];
      if (truth && object && at(row, column) > 0) pairs.push({ truth, object, similarity: at(row, column) });
    });
  }
  return pairs;
}
