import type { MessagePort } from 'node:worker_threads';
import type { ShapeRow } from '../annotations/annotation-rows.ts';
import { breakChannel, createBatchSender, receiveBatches } from './batch-channel.ts';

/** Rows of the store on their way from the thread that reads them to the thread that writes a file of them. */
interface RowBatch {
  readonly kind: 'rows';
  readonly count: number;
  /** Columns of `capacity` each: set, frame, label, type, source, flags, z order, group. */
  readonly integers: Int32Array;
  /** Columns of `capacity` each: id, parent, rotation, score, area (NaN: none). */
  readonly reals: Float64Array;
  readonly offsets: Uint32Array;
  readonly points: Uint8Array;
  readonly attributes: readonly (string | null)[];
}
/** The rows of this job follow. */
interface JobMark {
  readonly kind: 'job';
  readonly jobId: number;
}
type StreamMessage = RowBatch | JobMark | { readonly kind: 'end' };

export interface StreamEnd {
  readonly port: MessagePort;
  readonly state: Int32Array;
}

const capacity = 2000;
const integerColumns = 8;
const realColumns = 5;
const initialPointBytes = 256 * 1024;

function startBatch() {
  return {
    count: 0,
    integers: new Int32Array(integerColumns * capacity),
    reals: new Float64Array(realColumns * capacity),
    offsets: new Uint32Array(capacity + 1),
    points: new Uint8Array(initialPointBytes),
    attributes: [] as (string | null)[],
  };
}

/** Sends the rows of one job after another. Blocks while the receiver is behind. */
export function sendShapes(
  { port, state }: StreamEnd,
  jobIds: Iterable<number>,
  read: (jobId: number) => Iterable<ShapeRow>,
  checkCancelled: () => void,
): void {
  const send = createBatchSender<StreamMessage>(port, state, checkCancelled);
  let current = startBatch();

  function flush(): void {
    if (current.count > 0) send({ kind: 'rows', ...current });
    current = startBatch();
  }

  function put(row: ShapeRow): void {
    const { integers, reals, offsets } = current;
    const place = current.count;
    const start = offsets[place] ?? 0;
    const end = start + row.points.length;
    if (end > current.points.length) {
      const larger = new Uint8Array(Math.max(end, 2 * current.points.length));
      larger.set(current.points.subarray(0, start));
      current.points = larger;
    }
    current.points.set(row.points, start);
    offsets[place + 1] = end;
    integers[place] = row.set_id;
    integers[capacity + place] = row.frame;
    integers[2 * capacity + place] = row.label_id;
    integers[3 * capacity + place] = row.type;
    integers[4 * capacity + place] = row.source;
    integers[5 * capacity + place] = row.flags;
    integers[6 * capacity + place] = row.z_order;
    integers[7 * capacity + place] = row.group_id;
    reals[place] = row.id;
    reals[capacity + place] = row.parent_id ?? Number.NaN;
    reals[2 * capacity + place] = row.rotation;
    reals[3 * capacity + place] = row.score;
    reals[4 * capacity + place] = row.area ?? Number.NaN;
    current.attributes.push(row.attributes);
    current.count += 1;
    if (current.count === capacity) flush();
  }

  for (const jobId of jobIds) {
    send({ kind: 'job', jobId });
    for (const row of read(jobId)) put(row);
    flush();
  }
  send({ kind: 'end' });
}

const orNull = (value: number): number | null => (Number.isNaN(value) ? null : value);

function* rowsOf(batch: RowBatch): Generator<ShapeRow> {
  const { integers, reals, offsets, points, attributes, count } = batch;
  for (let place = 0; place < count; place += 1) {
    yield {
      id: reals[place] ?? 0,
      set_id: integers[place] ?? 0,
      frame: integers[capacity + place] ?? 0,
      label_id: integers[2 * capacity + place] ?? 0,
      type: integers[3 * capacity + place] ?? 0,
      source: integers[4 * capacity + place] ?? 0,
      flags: integers[5 * capacity + place] ?? 0,
      z_order: integers[6 * capacity + place] ?? 0,
      group_id: integers[7 * capacity + place] ?? 0,
      rotation: reals[2 * capacity + place] ?? 0,
      score: reals[3 * capacity + place] ?? 0,
      area: orNull(reals[4 * capacity + place] ?? Number.NaN),
      parent_id: orNull(reals[capacity + place] ?? Number.NaN),
      points: points.subarray(offsets[place], offsets[place + 1]),
      attributes: attributes[place] ?? null,
    };
  }
}

/**
 * The receiving side: the rows of each job once, in the order in which they are sent. Null for a job out of this order
 * and ever after: whoever asks reads the store itself then.
 */
export function receiveShapes({ port, state }: StreamEnd, checkCancelled: () => void) {
  const messages = receiveBatches<StreamMessage>(port, state, checkCancelled);
  let next: IteratorResult<RowBatch | JobMark> | null = null;
  let isOver = false;

  function stop(): void {
    isOver = true;
    breakChannel(state);
  }

  function* rowsOfJob(): Generator<ShapeRow> {
    let isComplete = false;
    try {
      for (next = messages.next(); !next.done && next.value.kind === 'rows'; next = messages.next()) {
        yield* rowsOf(next.value);
      }
      isComplete = true;
    } finally {
      if (!isComplete) stop();
    }
  }

  return {
    ofJob(jobId: number): Iterable<ShapeRow> | null {
      if (isOver) return null;
      next ??= messages.next();
      if (next.done || next.value.kind !== 'job' || next.value.jobId !== jobId) {
        stop();
        return null;
      }
      return rowsOfJob();
    },
    stop,
  };
}
