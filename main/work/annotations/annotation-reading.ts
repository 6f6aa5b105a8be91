import type { LabeledData, Shape, SubTrack } from '../../../preload/contract/schema/annotations.ts';
import type { MergeableObjects } from '../../../preload/geometry/overlap-merge.ts';
import { indexRanges } from '../../../preload/geometry/frame-spans.ts';
import { withoutMarks, type TrackPiece } from '../../../preload/geometry/track-pieces.ts';
import type { Store } from '../../db/store.ts';
import { portionSize, portionsOf, yieldingNull, type Portions } from '../../platform/portions.ts';
import { digestsOf, type AnnotationDigests } from './annotation-digest-repository.ts';
import { createAnnotationRepository, type AnnotationRepository, type Wanted } from './annotation-repository.ts';
import type { LabelIndex } from './annotation-rules.ts';
import type { Target } from './annotation-targets.ts';
import { emptyData, spanOf } from './annotation-writer.ts';
import { withAttributeDefaults } from './attribute-defaults.ts';
import { mergeJobs, mergeJobsInPortions } from './merge-jobs.ts';
import type { SerialisedReads, WrittenJson } from './serialised-reads.ts';

interface Dependencies {
  readonly database: Store;
  readonly annotations: AnnotationRepository;
  readonly serialised: SerialisedReads;
  readonly labelIndex: (target: Target) => LabelIndex;
}

/** Shapes and keyframes, and jobs, that are read without letting other requests run in between. */
const maxObjectsAtOnce = 1000;
const maxJobsAtOnce = 100;

/** Annotations that differ from those of known digests. */
export interface ChangedAnnotations {
  readonly digests: AnnotationDigests;
  /** Frames whose tags or shapes changed. */
  readonly frames: readonly number[];
  readonly haveTracksChanged: boolean;
  /** Tags and shapes of the changed frames; all tracks if one changed. */
  readonly data: LabeledData;
}

interface Reading {
  readonly annotations: AnnotationRepository;
  readonly target: Target;
  readonly wanted: Wanted;
  readonly index: LabelIndex;
}

/** Its signal is read on demand. */
export interface Client {
  readonly signal: AbortSignal;
}

export type AnnotationReading = ReturnType<typeof createAnnotationReading>;

export function createAnnotationReading({ database, annotations, serialised, labelIndex }: Dependencies) {
  /** Reads many objects in portions, from a snapshot, until the client leaves. */
  function readJson(target: Target, wanted: Wanted, client?: Client): WrittenJson | Promise<WrittenJson> {
    const jobIds = target.jobs.map(({ id }) => id);
    const name = `${target.name} ${wanted.frame ?? ''}-${wanted.to_frame ?? ''} ${wanted.without ?? ''}`;
    const known = serialised.find(name);
    if (known !== undefined) return known;
    const reading = { target, wanted, index: labelIndex(target) };
    if (!isLarge(jobIds, wanted)) return serialised.read(name, jobIds, () => pieces({ ...reading, annotations }));
    return serialised.readInPortions(name, jobIds, () => inSnapshot(database, reading, pieces), client?.signal);
  }

  function isLarge(jobIds: readonly number[], wanted: Wanted): boolean {
    let left = maxObjectsAtOnce;
    return jobIds.length > maxJobsAtOnce || jobIds.some((id) => (left -= annotations.countUpTo(left, id, wanted)) <= 0);
  }

  function read(target: Target, wanted: Wanted): LabeledData {
    const { tags, shapes, tracks } = mergeJobs(target.jobs, (job) => annotations.read(job.id, wanted));
    const merged = { ...emptyData(), tags: [...tags], shapes: [...shapes], tracks: tracks.map(withoutMarks) };
    return withAttributeDefaults(merged, labelIndex(target));
  }

  return {
    read,
    readJson,
    /** Reads all annotations as of the first portion. */
    readInPortions: (target: Target): Portions<LabeledData> =>
      inSnapshot(database, { target, wanted: {}, index: labelIndex(target) }, collected),
    /** Reads everything as of the first portion, which may not fit into memory. */
    readFramewise: (target: Target): Generator<LabeledData | null, AnnotationDigests> =>
      inSnapshot(database, { target, wanted: {}, index: labelIndex(target) }, framewise),
    /** Reads what changed since the digests; everything without them. */
    readChangedInPortions: (target: Target, known: AnnotationDigests | null): Portions<ChangedAnnotations> =>
      inSnapshot<unknown, ChangedAnnotations>(
        database,
        { target, wanted: {}, index: labelIndex(target) },
        (reading, snapshot) => changed(reading, snapshot, known),
      ),
  };
}

/** The snapshot is that of the first portion. */
function* inSnapshot<Piece, Result>(
  database: Store,
  reading: Omit<Reading, 'annotations'>,
  read: (reading: Reading, snapshot: Store) => Generator<Piece, Result>,
): Generator<Piece, Result> {
  const snapshot = database.snapshot();
  try {
    return yield* read({ ...reading, annotations: createAnnotationRepository(snapshot) }, snapshot);
  } finally {
    snapshot.close();
  }
}

/** JSON of the result of `read`. Shapes are all in memory only if jobs share frames: then they must be compared. */
function* pieces(reading: Reading): Generator<string, void> {
  const { annotations, target, wanted, index } = reading;
  const jobs = target.jobs.toSorted((a, b) => a.start_frame - b.start_frame);
  const isShared = jobs.some((job, at) => job.start_frame <= (jobs[at - 1]?.stop_frame ?? -1));
  const { tags, shapes, tracks } = yield* merged(reading, isShared);
  function* storedShapes(): Generator<Shape[]> {
    for (const { id } of jobs) yield* annotations.shapes.pieces(id, wanted);
  }
  const { version, intervals } = emptyData();
  yield `{"version":${version},"tags":`;
  yield* listJson(portionsOf(tags), (some) => completed({ tags: some }, index).tags);
  yield ',"shapes":';
  const shapePieces = isShared ? portionsOf(shapes) : storedShapes();
  yield* listJson(shapePieces, (some) => completed({ shapes: some }, index).shapes);
  yield ',"tracks":';
  let separator = '[';
  for (const track of tracks) {
    yield separator;
    for (const own of completed({ tracks: [withoutMarks(track)] }, index).tracks) yield* trackJson(own);
    separator = ',';
  }
  yield separator === '[' ? '[]' : ']';
  yield `,"intervals":${JSON.stringify(intervals)}}`;
}

function* listJson<Item>(portions: Iterable<Item[]>, complete: (items: Item[]) => Item[]): Generator<string, void> {
  let separator = '[';
  for (const items of portions) {
    if (items.length > 0) {
      yield separator + JSON.stringify(complete(items)).slice(1, -1);
      separator = ',';
    } else yield '';
  }
  yield separator === '[' ? '[]' : ']';
}

/** JSON of a track, in portions of its keyframes: it may have a hundred thousand. */
function* trackJson(track: SubTrack & { readonly elements?: readonly SubTrack[] }): Generator<string, void> {
  const parts = [track, ...(track.elements ?? [])];
  if (parts.every(({ shapes }) => shapes.length <= portionSize)) return yield JSON.stringify(track);
  const { shapes, elements, ...head } = track;
  yield `${JSON.stringify(head).slice(0, -1)},"shapes":`;
  yield* listJson(portionsOf(shapes), (some) => some);
  if (elements) {
    let separator = ',"elements":[';
    for (const element of elements) {
      yield separator;
      yield* trackJson(element);
      separator = ',';
    }
    yield elements.length === 0 ? ',"elements":[]' : ']';
  }
  yield '}';
}

/** The result of `read`. */
function* collected(reading: Reading): Generator<string, LabeledData> {
  const { index } = reading;
  const all = yield* merged(reading, true);
  const tracksOf = all.tracks.map(withoutMarks);
  const data: LabeledData = { ...emptyData(), tags: [...all.tags], shapes: [...all.shapes], tracks: tracksOf };
  completed({ tags: data.tags }, index);
  for (const shapes of portionsOf(data.shapes)) {
    completed({ shapes }, index);
    yield '';
  }
  for (const tracks of portionsOf(data.tracks, 1)) {
    completed({ tracks }, index);
    yield '';
  }
  return data;
}

function* changed(reading: Reading, snapshot: Store, known: AnnotationDigests | null): Portions<ChangedAnnotations> {
  const { index, target } = reading;
  const digests = yield* digestsOf(
    snapshot,
    target.jobs.map(({ id }) => id),
  );
  const all = [...new Set([...digests.frames.keys(), ...(known?.frames.keys() ?? [])])];
  const frames = all.filter((frame) => digests.frames.get(frame) !== known?.frames.get(frame));
  const haveTracksChanged = digests.tracks !== known?.tracks;
  if (known === null) return { digests, frames, haveTracksChanged, data: yield* collected(reading) };
  const data = emptyData();
  for (const { tags, shapes } of ofFrames(reading, frames)) {
    data.tags.push(...tags);
    data.shapes.push(...shapes);
    yield;
  }
  if (haveTracksChanged)
    for (const track of (yield* merged(reading, false)).tracks) {
      data.tracks.push(...completed({ tracks: [withoutMarks(track)] }, index).tracks);
      yield;
    }
  return { digests, frames, haveTracksChanged, data };
}

/** Tags and shapes of each frame. */
function* ofFrames({ annotations, index, target }: Reading, frames: readonly number[]): Generator<LabeledData, void> {
  const jobsOf = indexRanges(target.jobs.map(spanOf));
  for (const frame of frames) {
    const jobs = [...jobsOf.within(frame)].map((at) => target.jobs[at]!);
    const wanted: Wanted = { frame, to_frame: frame, without: 'tracks' };
    const { tags, shapes } = mergeJobs(jobs, ({ id }) => annotations.read(id, wanted));
    yield completed({ tags: [...tags], shapes: [...shapes] }, index);
  }
}

/** Everything, frame by frame, then track by track; null where other requests may run. */
function* framewise(reading: Reading, snapshot: Store): Generator<LabeledData | null, AnnotationDigests> {
  const jobIds = reading.target.jobs.map(({ id }) => id);
  const digests = yield* yieldingNull(digestsOf(snapshot, jobIds));
  yield* ofFrames(reading, [...digests.frames.keys()]);
  const { tracks } = yield* yieldingNull(merged(reading, false));
  for (const track of tracks) yield completed({ tracks: [withoutMarks(track)] }, reading.index);
  return digests;
}

/** Merges the jobs, and gives way after each portion of objects and each job by an empty piece. */
function* merged(
  { annotations, target: { jobs }, wanted }: Reading,
  withShapes: boolean,
): Generator<string, MergeableObjects> {
  const { frame, to_frame: last = frame, without } = wanted;
  const parts = new Map<number, MergeableObjects>();
  for (const { id } of jobs) {
    const shapes: Shape[] = [];
    const tracks: TrackPiece[] = [];
    for (const some of withShapes ? annotations.shapes.pieces(id, wanted) : []) {
      shapes.push(...some);
      yield '';
    }
    for (const some of without === 'tracks' ? [] : annotations.tracks.pieces(id)) {
      tracks.push(...some);
      yield '';
    }
    const tags = last === undefined ? annotations.tags.read(id) : annotations.tags.readFrames(id, frame ?? 0, last);
    parts.set(id, { tags, shapes, tracks });
  }
  const merging = mergeJobsInPortions(jobs, ({ id }) => parts.get(id) ?? { tags: [], shapes: [], tracks: [] });
  for (;;) {
    const step = merging.next();
    if (step.done === true) return step.value;
    yield '';
  }
}

const completed = (data: Partial<LabeledData>, index: LabelIndex): LabeledData =>
  withAttributeDefaults({ ...emptyData(), ...data }, index);
