import { describe, expect, it } from 'vitest';
import { mergeJobs } from '../../../../main/work/annotations/merge-jobs.ts';
import { createTrackShapes } from '../../../../renderer/canvas/tracks/track-shapes.ts';
import { recordFromTrack } from '../../../../renderer/features/workspace/model/saving/record-codec.ts';
import {
  cutTrack,
  isVisible,
  readTrack,
  type TrackPiece,
  withValues,
} from '../../../../preload/geometry/track-pieces.ts';
import {
  hasTrackSlices,
  labelsById,
  ownSlices,
  readTrackSlices,
  runsOf,
  shapeDifference,
  type SliceBox,
  type SliceFile,
  type SliceLabel,
  type SlicePiece,
  type SliceRun,
  uploadOf,
  wrongBoxes,
} from '../../../support/track-slices.ts';

type Labels = Map<number, SliceLabel>;

/** Frames on which the window shows a job's part differently from a reader of that part. */
function shownOtherwise(piece: TrackPiece, first: number, last: number, deleted: ReadonlySet<number>): string[] {
  const shapes = createTrackShapes(deleted);
  const record = recordFromTrack(piece, 'track');
  const read = new Map(
    [...(readTrack(piece, { first, last, deleted })?.shapes() ?? [])].filter(isVisible).map((one) => [one.frame, one]),
  );
  const describe = (one: { points: readonly number[]; rotation: number; occluded: boolean; outside: boolean }) =>
    JSON.stringify([one.points, one.rotation, one.occluded, one.outside]);
  return Array.from({ length: last - first + 1 }, (_, index) => first + index).flatMap((frame) => {
    const shown = shapes.shown(record, frame);
    const wanted = read.get(frame);
    if (shown === null || shown.outside) return wanted === undefined ? [] : [`missing on ${frame}`];
    if (wanted === undefined) return [`too much on ${frame}`];
    const [own, others] = [shown, wanted].map((one) =>
      [one, ...(one.elements ?? [])]
        .filter(({ outside }) => !outside)
        .map(describe)
        .join(' '),
    );
    return own === others ? [] : [`otherwise on ${frame}: ${own}, not ${others}`];
  });
}

function named(
  labels: Labels,
  labelId: number,
  values: readonly { spec_id: number; value: string }[],
  mutable?: boolean,
) {
  const specs = (labels.get(labelId)?.attributes ?? []).filter(
    (spec) => mutable === undefined || spec.mutable === mutable,
  );
  const filled = withValues(
    values,
    specs.map((spec) => ({ spec_id: spec.id, value: spec.default_value })),
  );
  return Object.fromEntries(
    filled.map(({ spec_id, value }) => [specs.find(({ id }) => id === spec_id)?.name ?? '', value]),
  );
}

function boxesOf(tracks: readonly TrackPiece[], labels: Labels, first: number, last: number, deleted: Set<number>) {
  const boxes = new Map<number, SliceBox[]>();
  for (const track of tracks) {
    for (const shape of readTrack(track, { first, last, deleted })?.shapes() ?? []) {
      if (!isVisible(shape)) continue;
      const describe = (labelId: number, own: typeof track.attributes, one: Omit<typeof shape, 'elements'>) => {
        const a = named(labels, labelId, [...own, ...one.attributes]);
        return { p: one.points, o: Number(one.occluded), z: one.z_order, r: one.rotation, a };
      };
      const elements = shape.elements
        .filter(({ outside }) => !outside)
        .map((element) => {
          const own = track.elements.find(({ label_id }) => label_id === element.label_id)?.attributes ?? [];
          return { label: element.label_id, ...describe(element.label_id, own, element) };
        });
      const box = { t: (track.group ?? 0) - 1, ...describe(track.label_id, track.attributes, shape) };
      const list = boxes.get(shape.frame) ?? [];
      list.push(elements.length > 0 ? { ...box, elements } : box);
      boxes.set(shape.frame, list);
    }
  }
  return boxes;
}

const simple = (labels: Labels, tracks: readonly TrackPiece[]) =>
  tracks.map((track) => {
    const part = (one: Omit<TrackPiece, 'elements'>) => {
      let before: { spec_id: number; value: string }[] = [];
      return {
        frame: one.frame,
        keyframes: one.shapes.map((shape) => {
          before = withValues(shape.attributes, before);
          return {
            f: shape.frame,
            out: Number(shape.outside),
            p: shape.points,
            o: Number(shape.occluded),
            z: shape.z_order,
            r: shape.rotation,
            a: named(labels, one.label_id, before, true),
          };
        }),
      };
    };
    return {
      t: (track.group ?? 0) - 1,
      ...part(track),
      elements: track.elements.map((element) => ({ label: element.label_id, ...part(element) })),
    };
  });

function pieceDifference(actual: ReturnType<typeof simple>, expected: readonly SlicePiece[]): string | null {
  if (actual.length !== expected.length) return `${actual.length} tracks, not ${expected.length}`;
  for (const [index, own] of actual.entries()) {
    const other = expected[index]!;
    const parts = (piece: SlicePiece) => [piece, ...(piece.elements ?? [])];
    if (parts(own).length !== parts(other).length) return 'elements';
    for (const [place, part] of parts(own).entries()) {
      const same = parts(other)[place]!;
      if (part.frame !== same.frame) return `frame ${part.frame}, not ${same.frame}`;
      if (part.keyframes.length !== same.keyframes.length)
        return `keyframes ${part.keyframes.map(({ f }) => f)} not ${same.keyframes.map(({ f }) => f)}`;
      for (const [at, keyframe] of part.keyframes.entries()) {
        const known = same.keyframes[at]!;
        if (keyframe.f !== known.f || keyframe.out !== (known.out ?? 0)) return `keyframe ${keyframe.f}`;
        const difference = shapeDifference(keyframe, { ...known, a: known.a ?? {} });
        if (difference) return `keyframe ${keyframe.f} ${difference}`;
      }
    }
  }
  return null;
}

function runCase({ tracks, layout, deleted: frames, truth, expected }: SliceRun, labels: Labels) {
  const uploads = tracks.map((track, index): TrackPiece => ({ ...uploadOf(track, index + 1, labels), origin: index }));
  const jobs = layout.jobs.map(([start_frame, stop_frame]) => ({ start_frame, stop_frame }));
  const stored = jobs.map(({ start_frame, stop_frame }) =>
    jobs.length === 1 ? uploads : uploads.flatMap((track) => cutTrack(track, start_frame, stop_frame) ?? []),
  );
  const ofJob = (job: (typeof jobs)[number]) => ({ tags: [], shapes: [], tracks: stored[jobs.indexOf(job)]! });
  const read = mergeJobs(jobs, ofJob).tracks;
  const pieces = mergeJobs(jobs, ofJob, { uniteCut: true }).tracks;
  const deleted = new Set(frames);
  const last = layout.size - 1;
  const wrong = (list: readonly TrackPiece[], first: number, end: number) =>
    truth ? wrongBoxes(boxesOf(list, labels, first, end, deleted), truth, [first, end]) : [];
  const sorted = <Piece extends { t: number; frame: number }>(pieces: readonly Piece[]) =>
    pieces.toSorted((a, b) => a.t - b.t || a.frame - b.frame);
  return {
    stored: expected.stored?.map((list, index) => pieceDifference(simple(labels, stored[index]!), list)) ?? [],
    read: expected.read ? pieceDifference(sorted(simple(labels, read)), sorted(expected.read)) : null,
    task: wrong(uploads, 0, last),
    jobs: layout.jobs.flatMap(([first, end]) => wrong(uploads, first, end)),
    readBoxes: wrong(read, 0, last),
    pieces: wrong(pieces, 0, last),
    jobPieces: layout.jobs.flatMap(([first, end], index) => wrong(stored[index]!, first, end)),
    window: layout.jobs.flatMap(([first, end], index) =>
      stored[index]!.flatMap((piece) => shownOtherwise(piece, first, end, deleted)),
    ),
  };
}

/** A fault of CVAT that its own exports do not show: the part begins before its job. */
const beginsEarly = ({ layout, expected }: SliceRun): boolean =>
  expected.stored?.some((list, index) => list.some(({ frame }) => frame < (layout.jobs[index]?.[0] ?? 0))) === true;

function isRight(run: SliceRun): boolean {
  const { faults = [], job_faults: jobFaults = {}, error, job_error: jobError } = run.expected;
  return faults.length === 0 && Object.keys(jobFaults).length === 0 && !error && !jobError && !beginsEarly(run);
}

/** Differences by run, and the number of runs of each kind. */
function check(file: SliceFile) {
  const labels = labelsById(file.labels);
  const wrong = { task: [], jobs: [], stored: [], read: [], shown: [], window: [] } as Record<string, string[]>;
  const counts = { runs: 0, cut: 0, outlines: 0 };
  for (const run of runsOf(file)) {
    const found = runCase(run, labels);
    const note = (kind: string, what: readonly (string | null)[]) => {
      const problems = what.filter((one) => one !== null);
      if (problems.length > 0) wrong[kind]?.push(`${run.name}: ${problems.slice(0, 3).join('; ')}`);
    };
    counts.runs += 1;
    note('task', found.task);
    note('jobs', found.jobs);
    note('window', found.window);
    if (run.layout.jobs.length === 1) continue;
    counts.cut += 1;
    if (isRight(run)) {
      note('stored', found.stored);
      note('read', [found.read]);
    }
    if (run.deleted.length > 0) continue;
    const shown = [...found.readBoxes, ...found.jobPieces];
    if (shown.length > 0 && run.tracks.every(({ type }) => outlined.has(type)) && shown.every(isOutline)) {
      counts.outlines += 1;
    } else note('shown', shown);
  }
  return { wrong, counts };
}

/** Other vertices, or the same number in other positions: the result of matching outlines again. */
const outlined = new Set(['polygon', 'polyline']);
const isOutline = (sentence: string): boolean => /^(outline|moved):/.test(sentence);
const nothing = { task: [], jobs: [], stored: [], read: [], shown: [], window: [] };

describe('tracks over the borders of jobs', () => {
  it('exist once on every frame of scenes that are easily verified by hand', () => {
    const { wrong, counts } = check(ownSlices());
    expect(wrong).toEqual(nothing);
    expect(counts).toMatchObject({ outlines: 0 });
    expect(counts.runs).toBeGreaterThan(100);
  });

  it('hold masks, and objects that change their type, until the next keyframe', () => {
    const part = { frame: 0, label_id: 1, group: 1, source: 'manual' as const, attributes: [] };
    const keyframe = (frame: number, type: 'mask' | 'rectangle' | 'polygon', points: number[], outside = false) => ({
      type,
      frame,
      points,
      outside,
      occluded: false,
      z_order: 0,
      rotation: 0,
      attributes: [],
    });
    const mask = [keyframe(0, 'mask', [0, 1, 3, 3, 3, 3]), keyframe(8, 'mask', [0, 1, 3, 3, 3, 3], true)];
    const mixed = [keyframe(0, 'rectangle', [0, 0, 5, 5]), keyframe(8, 'polygon', [0, 0, 5, 0, 5, 5])];
    for (const shapes of [mask, mixed]) {
      const track: TrackPiece = { ...part, shapes, elements: [] };
      for (const window of [
        { first: 0, last: 4 },
        { first: 5, last: 9 },
      ]) {
        const piece = cutTrack(track, window.first, window.last)!;
        for (const one of [track, piece]) {
          const seen = [...readTrack(one, { ...window, deleted: new Set([4]) })!.shapes()].filter(isVisible);
          const held = seen.filter(({ frame }) => frame < 8);
          expect(held.map(({ points }) => points)).toEqual(held.map(() => shapes[0]!.points));
          expect(held.map(({ frame }) => frame)).toEqual(window.first === 0 ? [0, 1, 2, 3] : [5, 6, 7]);
        }
      }
    }
  });
});

/**
 * If CVAT is right, parts and reads equal CVAT's. If two ways are defensible, tracks are exported as before the split;
 * only views of a single job match outlines again at its borders, in this many runs.
 */
const oracle = [
  ['scenes', { runs: 592, cut: 514, outlines: 22 }],
  ['long', { runs: 72, cut: 54, outlines: 6 }],
  ['deleted', { runs: 528, cut: 396, outlines: 0 }],
  ['random', { runs: 360, cut: 331, outlines: 18 }],
] as const;

describe.skipIf(!hasTrackSlices && !process.env['CI'])("the parts, reads and exports of CVAT's server", () => {
  it('are available beside the repository', () => {
    expect(
      hasTrackSlices,
      'shared/fixtures/track_slices is missing beside the repository: so nothing was compared with the server',
    ).toBe(true);
  });

  it.each(oracle)('agree: %s', (name, expected) => {
    const { wrong, counts } = check(readTrackSlices(name));
    expect(wrong).toEqual(nothing);
    expect(counts).toEqual(expected);
  });
});
