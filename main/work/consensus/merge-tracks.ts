import type { Track } from '../../../preload/contract/schema/annotations.ts';
import type { ComparedObject } from '../../comparison/compared-object.ts';
import { pairOptimally } from '../../comparison/assignment.ts';
import { kindOf, similarity, type Comparing } from '../../comparison/similarity.ts';
import { mergeFrame, type Likeness, type MergedFrame } from './merge-frame.ts';

/** Shapes of a track by frame, and the object that stands for it. */
interface SeenTrack {
  readonly object: ComparedObject;
  readonly shapes: Map<number, ComparedObject>;
}

/** Collects the tracks of replicas frame by frame, and merges them as wholes. */
export function createTrackMerge(replicaCount: number, threshold: number) {
  const tracks = Array.from({ length: replicaCount }, () => new Map<number, SeenTrack>());
  const comparingOf = new Map<number, Comparing>();

  /** Mean similarity over the frames on which at least one of the tracks is visible. */
  function between(first: SeenTrack, second: SeenTrack): number {
    const frames = new Set([...first.shapes.keys(), ...second.shapes.keys()]);
    let sum = 0;
    for (const frame of frames) {
      const [ours, theirs, comparing] = [first.shapes.get(frame), second.shapes.get(frame), comparingOf.get(frame)];
      if (ours && theirs && comparing && kindOf(ours) === kindOf(theirs)) sum += similarity(ours, theirs, comparing);
    }
    return frames.size === 0 ? 0 : sum / frames.size;
  }

  return {
    add(frame: number, comparing: Comparing, drawn: readonly (readonly ComparedObject[])[]): void {
      comparingOf.set(frame, comparing);
      for (const [replica, objects] of drawn.entries()) {
        for (const object of objects) {
          const seen = tracks[replica]!.get(object.id.obj_id) ?? { object, shapes: new Map() };
          seen.shapes.set(frame, object);
          tracks[replica]!.set(object.id.obj_id, seen);
        }
      }
    },
    merge(needed: number): MergedFrame {
      const all = tracks.flatMap((own) => [...own.values()]);
      const seenAs = new Map(all.map((seen) => [seen.object, seen]));
      const alike = (first: ComparedObject, second: ComparedObject): number =>
        between(seenAs.get(first)!, seenAs.get(second)!);
      const likeness: Likeness = {
        threshold,
        similarity: alike,
        match(ours, theirs) {
          const table = ours.map((one) => theirs.map((other) => alike(one, other)));
          const at = (row: number, column: number): number => table[row]?.[column] ?? 0;
          return pairOptimally(ours.length, theirs.length, at, threshold).map(([row, column]) => ({
            truth: ours[row]!,
            object: theirs[column]!,
            similarity: at(row, column),
          }));
        },
      };
      return mergeFrame(
        tracks.map((own) => [...own.values()].map(({ object }) => object)),
        needed,
        likeness,
      );
    },
  };
}

/** A track without ids, as a merge creates it. */
export function asMerged(track: Track, changed: Pick<Track, 'label_id' | 'attributes' | 'group'>): Track {
  const plain = <Part extends object>(part: Part): Part => ({ ...part, id: undefined });
  return {
    ...plain(track),
    ...changed,
    source: 'consensus',
    shapes: track.shapes.map(plain),
    elements: track.elements.map((element) => ({
      ...plain(element),
      source: 'consensus' as const,
      shapes: element.shapes.map(plain),
    })),
  };
}
