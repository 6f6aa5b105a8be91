import { boundingBox } from '../../../preload/geometry/geometry.ts';
import { countTracks, type TrackedBox, type TrackFrame } from '../measures/track-counts.ts';
import { addTrackCounts, trackMeasures } from '../measures/track-measures.ts';
import type { Cell, CellMeasures, CellSource } from './cells.ts';
import type { MeasuredView } from './measured-views.ts';

interface Side {
  /** By label, then by image. */
  readonly boxes: readonly (readonly TrackedBox[])[][];
  readonly tracks: readonly number[];
  readonly leftOut: number;
}

/** Compares tracks per label by their bounding boxes; a task's frames are one sequence. */
export function cellsOfTracks(source: CellSource): CellMeasures {
  const { truth, results, labels, places } = source;
  const none = labels.length;
  const [wanted, found] = [readTracks(truth, 'truth', source), readTracks(results, 'results', source)];
  const cells: Cell[] = [];
  const counted = labels.map((_, label) => {
    const frames: TrackFrame[] = Array.from({ length: places.size }, (__, image) => ({
      truths: wanted.boxes[label]?.[image] ?? [],
      results: found.boxes[label]?.[image] ?? [],
    }));
    source.checkCancelled();
    const { counts, events } = countTracks(frames);
    for (const [image, { hits, missed, extra, switches }] of events.entries()) {
      if (hits > 0) cells.push({ image, truth: label, result: label, count: hits, switches });
      if (missed > 0) cells.push({ image, truth: label, result: none, count: missed, switches: 0 });
      if (extra > 0) cells.push({ image, truth: none, result: label, count: extra, switches: 0 });
    }
    return counts;
  });
  return {
    cells,
    measures: trackMeasures(addTrackCounts(counted)),
    labels: counted.map((counts) => {
      const { HOTA = -1, MOTA = -1, IDF1 = -1, IDSW = 0 } = trackMeasures(counts);
      return { HOTA, MOTA, IDF1, IDSW };
    }),
    truths: { ofLabels: wanted.tracks, leftOut: wanted.leftOut },
    results: { count: found.tracks.reduce((sum, count) => sum + count, 0), leftOut: found.leftOut },
  };
}

function readTracks(
  view: MeasuredView,
  side: 'truth' | 'results',
  { labels, places, labelOf, checkCancelled }: CellSource,
) {
  const boxes: TrackedBox[][][] = labels.map(() => []);
  const tracks = labels.map(() => 0);
  let leftOut = 0;
  for (const drawn of view.drawn_tracks) {
    checkCancelled();
    const label = labelOf(side, drawn.track.label);
    if (label === undefined) {
      leftOut += 1;
      continue;
    }
    let isSeen = false;
    for (const { frame, outside, type, points, rotation = 0, elements } of drawn.frames()) {
      const place = places.get(frame);
      if (!place || outside) continue;
      const box = boundingBox({
        type,
        points,
        rotation,
        elements: elements.map((element) => ({ type: element.type, points: element.points, outside: element.outside })),
      });
      if (!box) continue;
      const { left, top, right, bottom } = box;
      const ofLabel = boxes[label]!;
      (ofLabel[place.image] ??= []).push({ track: tracks[label]!, left, top, right, bottom });
      isSeen = true;
    }
    if (isSeen) tracks[label]! += 1;
  }
  // Single-frame shapes are not tracks.
  for (const { frame } of view.shapes) if (places.has(frame)) leftOut += 1;
  return { boxes, tracks, leftOut } satisfies Side;
}
