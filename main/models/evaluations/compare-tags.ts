import type { Tag } from '../../../preload/contract/schema/annotations.ts';
import type { ComparedFrame, ComparedObject } from '../../../preload/contract/schema/evaluations.ts';
import type { Label } from '../../../preload/contract/schema/labels.ts';
import { withRates } from '../evaluation/one-threshold.ts';
import { pairsOfTags } from './tag-cells.ts';

interface Compared {
  readonly frame: number;
  /** Labels of the task. */
  readonly labels: readonly Label[];
  /** Labels that are compared. */
  readonly names: readonly string[];
  readonly truth: readonly Tag[];
  readonly results: readonly Tag[];
  readonly mapping: Readonly<Record<string, string | null>>;
}

/** Tags of one picture, as the evaluation counts them. */
export function compareTags(given: Compared): Pick<ComparedFrame, 'counts' | 'matched' | 'missed' | 'extra'> {
  const { frame, labels, names } = given;
  const none = names.length;
  const byId = new Map(labels.map((label) => [label.id, label]));
  const placesOf = (tags: readonly Tag[], mapping: Compared['mapping']): Set<number> => {
    const own = tags.flatMap((tag) => {
      const name = byId.get(tag.label_id)?.name ?? '';
      return tag.frame === frame ? names.indexOf((Object.hasOwn(mapping, name) ? mapping[name] : name) ?? '') : [];
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
