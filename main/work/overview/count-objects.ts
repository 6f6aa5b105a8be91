import type { AnnotationSource, ShapeType } from '../../../preload/contract/annotation-names.ts';
import { keyframesOf, readTrack, type TrackPiece, type TrackWindow } from '../../../preload/geometry/track-pieces.ts';
import { partitionPoint } from '../../../preload/geometry/frame-spans.ts';
import type { FrameCounts } from './frame-counts.ts';
import type { AttributeValue } from '../../../preload/contract/schema/annotations.ts';
import type { Label } from '../../../preload/contract/schema/labels.ts';
import type { KindCount, LabelStatistics, Statistics } from '../../../preload/contract/schema/statistics.ts';

/** Values listed per attribute: free texts may all differ. */
const listedValues = 50;

type Kind = ShapeType | 'tag';

interface Alike {
  readonly labelId: number;
  readonly type: Kind;
  readonly source: AnnotationSource;
  readonly attributes: readonly AttributeValue[];
  readonly count: number;
}

const emptyKind = (type: Kind): KindCount => ({ type, objects: 0, tracks: 0, keyframes: 0, interpolated: 0 });

function add<Key>(counts: Map<Key, number>, key: Key, count: number): void {
  counts.set(key, (counts.get(key) ?? 0) + count);
}

/** Numbers of an ascending list within a range, both ends included. */
function countWithin(ascending: readonly number[], first: number, last: number): number {
  const below = (limit: number) => partitionPoint(ascending.length, (index) => ascending[index]! < limit);
  return below(last + 1) - below(first);
}

export function createObjectCount(labels: readonly Label[]) {
  const kinds = new Map(labels.map(({ id }) => [id, new Map<Kind, KindCount>()]));
  const values = new Map(
    labels.flatMap(({ attributes }) => attributes.map(({ id }) => [id, new Map<string, number>()])),
  );
  const sources = new Map<AnnotationSource, number>();

  function kindOf(labelId: number, type: Kind): KindCount {
    const ofLabel = kinds.get(labelId);
    const known = ofLabel?.get(type) ?? emptyKind(type);
    ofLabel?.set(type, known);
    return known;
  }

  function addValues(attributes: Iterable<AttributeValue>, count: number): void {
    for (const { spec_id: id, value } of attributes) {
      const counts = values.get(id);
      if (counts !== undefined) add(counts, value, count);
    }
  }

  function ofLabel({ id, name, color, attributes }: Label): LabelStatistics {
    return {
      id,
      name,
      color,
      kinds: [...(kinds.get(id)?.values() ?? [])],
      attributes: attributes.map((attribute) => {
        const all = [...(values.get(attribute.id) ?? [])].toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
        const further = all.slice(listedValues);
        return {
          id: attribute.id,
          name: attribute.name,
          values: all.slice(0, listedValues).map(([value, count]) => ({ value, count })),
          further_values: further.length,
          further_count: further.reduce((sum, [, count]) => sum + count, 0),
        };
      }),
    };
  }

  return {
    add({ labelId, type, source, attributes, count }: Alike): void {
      kindOf(labelId, type).objects += count;
      add(sources, source, count);
      addValues(attributes, count);
    },
    /**
     * Adds a track with all its attributes, at the cost of its keyframes.
     * @param frames gets the frames on which it is visible, deleted ones included
     */
    addTrack(track: TrackPiece, window: TrackWindow, frames: FrameCounts): void {
      const seen = readTrack(track, window);
      if (seen === null) return;
      const keyframes = keyframesOf(seen.piece);
      const shown = new Map(track.attributes.map((value) => [JSON.stringify(value), value]));
      const deleted = [...window.deleted].toSorted((a, b) => a - b);
      let kind: KindCount | undefined;
      for (const { first, last, shape } of seen.runs()) {
        const length = last - first + 1 - countWithin(deleted, first, last);
        if (length === 0) continue;
        kind ??= kindOf(track.label_id, shape.type);
        const keyframeCount = keyframes.has(first) && !window.deleted.has(first) ? 1 : 0;
        kind.keyframes += keyframeCount;
        kind.interpolated += length - keyframeCount;
        frames.add(first, last);
        for (const value of shape.attributes) shown.set(JSON.stringify(value), value);
      }
      if (kind === undefined) return;
      kind.tracks += 1;
      add(sources, track.source, 1);
      addValues(shown.values(), 1);
    },
    result: (frames: Statistics['frames']): Statistics => ({
      frames,
      labels: labels.map(ofLabel),
      sources: [...sources].map(([source, count]) => ({ source, count })).toSorted((a, b) => b.count - a.count),
    }),
  };
}

export type ObjectCount = ReturnType<typeof createObjectCount>;
