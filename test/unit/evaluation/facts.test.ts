import { expect, test } from 'vitest';
import { createCocoObjects, type CocoSet } from '../../../main/evaluation/measures/coco-objects.ts';
import { packColumns, unpackColumns } from '../../../main/evaluation/measures/columns.ts';
import { collectFacts, type ResultFacts, type TruthFacts } from '../../../main/evaluation/measures/facts.ts';
import { confusionOf, curvesOfFacts, matchFacts } from '../../../main/evaluation/measures/match-facts.ts';
import { createRandom } from '../../support/random.ts';

const labels = 3;
const images = 6;

/** Boxes that often overlap, scores that are often equal, some crowds. */
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

test('counts from stored facts equal those from new ones', () => {
  for (let seed = 1; seed <= 40; seed += 1) {
    const made = collectFacts(
      randomSet(seed),
      Array.from({ length: images }, () => [80, 80] as const),
    );
    const stored = {
      ...made,
      truths: unpackColumns<TruthFacts>(packColumns({ ...made.truths })),
      results: unpackColumns<ResultFacts>(packColumns({ ...made.results })),
    };
    for (const overlap of [0.3, 0.5, 0.75]) {
      const [curves, again] = [made, stored].map((facts) => curvesOfFacts(facts, matchFacts(facts, overlap)));
      expect(again).toEqual(curves);
      const confusion = confusionOf(stored, overlap, 0.4);
      expect(confusion).toEqual(confusionOf(made, overlap, 0.4));
      // Each counted ground truth is in the row of its label once, found or not.
      const counts = made.truths.label.reduce(
        (sums, label, truth) => sums.with(label, sums[label]! + (made.truths.flags[truth] === 0 ? 1 : 0)),
        [0, 0, 0],
      );
      expect(confusion.slice(0, labels).map((row) => row.reduce((sum, count) => sum + count, 0))).toEqual(counts);
    }
  }
});
