import type { LabeledData, Tag } from '../../../preload/contract/schema/annotations.ts';
import type { ComparedFrame, ComparedObject, DetectionKind } from '../../../preload/contract/schema/evaluations.ts';
import type { Label } from '../../../preload/contract/schema/labels.ts';
import { drawnByFrame } from '../../comparison/frame-objects.ts';
import { createCocoObjects } from '../measures/coco-objects.ts';
import { collectFacts } from '../measures/facts.ts';
import { matchFacts, outcomesAt } from '../measures/match-facts.ts';
import { leastStep, stepOf, withRates } from '../measures/one-threshold.ts';
import { mappedName } from './cells.ts';
import { comparable, sigmasOf } from './compared-shape.ts';
import { pairsOfTags } from './tag-cells.ts';

interface Compared<Annotations> {
  readonly frame: number;
  readonly labels: readonly Label[];
  readonly names: readonly string[];
  readonly truth: Annotations;
  readonly results: Annotations;
  readonly mapping: Readonly<Record<string, string | null>>;
}

interface ComparedObjects extends Compared<Pick<LabeledData, 'shapes' | 'tracks'>> {
  readonly width: number;
  readonly height: number;
  readonly kind: DetectionKind;
  readonly iou: number;
  readonly score: number;
}

type Seen = Pick<ComparedFrame, 'counts' | 'matched' | 'missed' | 'extra'>;

/** Truth and predictions of one frame with their shapes, matched as in the evaluation. */
export function compareFrame(given: ComparedObjects): Seen {
  const { kind, iou, score, names } = given;
  const truth = objectsOf(given, given.truth, {});
  const results = objectsOf(given, given.results, given.mapping).sort((a, b) => b.object.score - a.object.score);
  const columnsOf = (items: readonly Item[]) => {
    const objects = createCocoObjects();
    for (const { own, category } of items) objects.add({ ...own, image: 0, category });
    return objects;
  };
  const set = {
    kind,
    images: 1,
    categories: names.map((name, id) => ({ id, name })),
    truths: columnsOf(truth),
    results: columnsOf(results),
  };
  const points = Math.max(0, ...given.labels.map(({ sublabels }) => sublabels.length));
  const sigmas = kind === 'keypoints' ? sigmasOf(points) : undefined;
  const facts = collectFacts(set, [[given.width, given.height]], { sigmas });
  const matches = matchFacts(facts, iou);
  const { pairs, pairTruth, pairOverlap } = facts.results;
  const overlapsOf = (result: number) =>
    Array.from({ length: pairs[result + 1]! - pairs[result]! }, (_, at) => ({
      result,
      truth: pairTruth[pairs[result]! + at]!,
      overlap: pairOverlap[pairs[result]! + at]!,
    }));
  const counted = [...results.keys()].filter((result) => stepOf(results[result]!.object.score) >= leastStep(score));
  const all = counted.flatMap(overlapsOf);
  const outcomes = [...outcomesAt(facts, matches, score)];
  const matched = outcomes.flatMap(({ truth: wanted, result }) => {
    const pair = all.find((one) => one.truth === wanted && one.result === result);
    return pair
      ? [{ place: wanted, truth: truth[wanted]!.object, result: results[result]!.object, overlap: pair.overlap }]
      : [];
  });
  const missed = outcomes
    .filter(({ result }) => result === -1)
    .map(({ truth: place }) => {
      const category = truth[place]!.category;
      const near = all.filter((one) => one.truth === place && results[one.result]!.category === category);
      return { place, truth: truth[place]!.object, best_overlap: Math.max(0, ...near.map(({ overlap }) => overlap)) };
    });
  const places = [...matched, ...missed].map(({ place }) => place);
  const extra = outcomes
    .filter(({ truth: wanted }) => wanted === -1)
    .map(({ result }) => {
      const [near] = overlapsOf(result).sort((a, b) => b.overlap - a.overlap);
      return {
        result: results[result]!.object,
        best_overlap: near?.overlap ?? 0,
        near: near ? places.indexOf(near.truth) : -1,
      };
    });
  const counts = { hits: matched.length, missed: missed.length, extra: extra.length };
  return {
    counts: withRates(counts),
    matched: matched.map(({ truth: wanted, result, overlap }) => ({ truth: wanted, result, overlap })),
    missed: missed.map(({ truth: wanted, best_overlap }) => ({ truth: wanted, best_overlap })),
    extra,
  };
}

interface Item {
  readonly object: ComparedObject;
  readonly own: NonNullable<ReturnType<typeof comparable>>;
  readonly category: number;
}

function objectsOf(
  { frame, width, height, kind, labels, names }: ComparedObjects,
  data: ComparedObjects['truth'],
  mapping: ComparedObjects['mapping'],
): Item[] {
  const byId = new Map(labels.map((label) => [label.id, label]));
  const idOf = new Map(labels.map(({ name, id }) => [name, id]));
  return drawnByFrame(data)(frame).flatMap((shape): Item[] => {
    const label = byId.get(shape.label_id);
    const name = label && mappedName(mapping, label.name);
    const category = names.indexOf(name ?? '');
    if (!label || category === -1) return [];
    const pointNames = new Map(label.sublabels.map((sublabel) => [sublabel.id, sublabel.name]));
    const named = shape.elements.map((one) => ({ ...one, label: pointNames.get(one.label_id) ?? '' }));
    const own = comparable({ ...shape, elements: named }, kind, { width, height }, [...pointNames.values()]);
    if (own === null) return [];
    const { kind: stored, id = null, type, points, rotation, score } = shape;
    const object: ComparedObject = {
      shape_id: stored === 'shape' ? id : null,
      label_id: idOf.get(name ?? '') ?? label.id,
      label: name ?? label.name,
      type,
      points,
      rotation,
      score,
      elements: shape.elements.map((one) => ({
        label_id: one.label_id,
        points: one.points,
        occluded: one.occluded,
        outside: one.outside,
      })),
    };
    return [{ object, own, category }];
  });
}

export function compareTags(given: Compared<readonly Tag[]>): Seen {
  const { frame, labels, names } = given;
  const none = names.length;
  const byId = new Map(labels.map((label) => [label.id, label]));
  const placesOf = (tags: readonly Tag[], mapping: ComparedObjects['mapping']): Set<number> => {
    const own = tags.flatMap((tag) => {
      const name = byId.get(tag.label_id)?.name ?? '';
      return tag.frame === frame ? names.indexOf(mappedName(mapping, name) ?? '') : [];
    });
    return new Set(own.filter((place) => place !== -1));
  };
  const pairs = pairsOfTags(placesOf(given.truth, {}), placesOf(given.results, given.mapping), none);
  const object = (place: number): ComparedObject => ({
    shape_id: null,
    label_id: labels.find(({ name }) => name === names[place])?.id ?? 0,
    label: names[place] ?? '',
    type: 'tag',
    points: [],
    rotation: 0,
    score: 1,
    elements: [],
  });
  const matched = pairs.filter(([truth, result]) => truth === result);
  const missed = pairs.filter(([truth, result]) => truth !== none && truth !== result);
  const extra = pairs.filter(([truth, result]) => result !== none && truth !== result);
  const counts = { hits: matched.length, missed: missed.length, extra: extra.length };
  return {
    counts: withRates(counts),
    matched: matched.map(([truth, result]) => ({ truth: object(truth), result: object(result), overlap: 1 })),
    missed: missed.map(([truth]) => ({ truth: object(truth), best_overlap: 0 })),
    extra: extra.map(([, result]) => ({ result: object(result), best_overlap: 0, near: -1 })),
  };
}
