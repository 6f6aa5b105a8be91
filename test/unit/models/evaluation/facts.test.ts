import { expect, test } from 'vitest';
import { createCocoObjects } from '../../../../main/models/evaluation/coco-objects.ts';
import type { CocoSet } from '../../../../main/models/evaluation/coco-evaluation.ts';
import { packColumns, unpackColumns } from '../../../../main/models/evaluation/columns.ts';
import { collectFacts, type ResultFacts, type TruthFacts } from '../../../../main/models/evaluation/facts.ts';
import { curvesOfFacts, matchFacts, mixedOutcomes } from '../../../../main/models/evaluation/match-facts.ts';
import { confusionOf, scoreCurves } from '../../../../main/models/evaluation/one-threshold.ts';
import { createRandom } from '../../../support/random.ts';

const labels = 3;
const images = 6;

/** Boxes that overlap often, scores that are often equal, some crowds. */
function randomSet(seed: number): CocoSet {
  const random = createRandom(seed);
  const whole = (below: number): number => Math.floor(random() * below);
  const objects = (count: number, isTruth: boolean) => {
    const made = createCocoObjects();
    for (let index = 0; index < count; index += 1) {
      const box = [whole(40), whole(40), 5 + whole(40), 5 + whole(40)];
      const isCrowd = isTruth && whole(8) === 0;
      const flags = isCrowd ? { isCrowd, isIgnored: true } : {};
      made.add({
        image: whole(images),
        category: whole(labels),
        box,
        area: box[2]! * box[3]!,
        ...(isTruth ? flags : { score: whole(20) / 20 }),
      });
    }
    return made;
  };
  const categories = Array.from({ length: labels }, (_, id) => ({ id, name: String(id) }));
  return { kind: 'bbox', images, categories, truths: objects(60, true), results: objects(120, false) };
}

test('what is counted of facts, also of stored ones, is what is counted of the shapes', () => {
  for (let seed = 1; seed <= 40; seed += 1) {
    const set = randomSet(seed);
    const made = collectFacts(
      set,
      Array.from({ length: images }, () => [80, 80] as const),
    );
    const facts = {
      ...made,
      truths: unpackColumns<TruthFacts>(packColumns({ ...made.truths })),
      results: unpackColumns<ResultFacts>(packColumns({ ...made.results })),
    };
    for (const overlap of [0.3, 0.5, 0.75]) {
      expect(curvesOfFacts(facts, matchFacts(facts, overlap))).toEqual(scoreCurves(set, overlap));
      const confusion = Array.from({ length: labels + 1 }, () => Array.from({ length: labels + 1 }, () => 0));
      for (const { truth, result } of mixedOutcomes(facts, overlap, 0.4)) {
        const row = truth === -1 ? labels : facts.truths.label[truth]!;
        confusion[row]![result === -1 ? labels : facts.results.label[result]!]! += 1;
      }
      expect(confusion).toEqual(confusionOf(set, overlap, 0.4));
    }
  }
});
