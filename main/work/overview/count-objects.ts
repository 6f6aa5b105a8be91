import type { AnnotationSource, ShapeType } from '../../../preload/contract/annotation-names.ts';
import {
  isVisible,
  keyframesOf,
  readTrack,
  type TrackPiece,
  type TrackWindow,
} from '../../../preload/geometry/track-pieces.ts';
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
     * Adds a track with all its attributes.
     * @returns the frames on which it is visible
     */
    addTrack(track: TrackPiece, window: TrackWindow): ReadonlySet<number> {
      const frames = new Set<number>();
      const seen = readTrack(track, window);
      if (seen === null) return frames;
      const keyframes = keyframesOf(seen.piece);
      const shown = new Map(track.attributes.map((value) => [JSON.stringify(value), value]));
      let kind: KindCount | undefined;
      for (const shape of seen.shapes()) {
        if (!isVisible(shape)) continue;
        kind ??= kindOf(track.label_id, shape.type);
        if (keyframes.has(shape.frame)) kind.keyframes += 1;
        else kind.interpolated += 1;
        frames.add(shape.frame);
        for (const value of shape.attributes) shown.set(JSON.stringify(value), value);
      }
      if (kind === undefined) return frames;
      kind.tracks += 1;
      add(sources, track.source, 1);
      addValues(shown.values(), 1);
      return frames;
    },
    result: (frames: Statistics['frames']): Statistics => ({
      frames,
      labels: labels.map(ofLabel),
      sources: [...sources].map(([source, count]) => ({ source, count })).toSorted((a, b) => b.count - a.count),
    }),
  };
}

export type ObjectCount = ReturnType<typeof createObjectCount>;
