/** Sorts row numbers by frame, stably. Counting sort takes a third of the time of a comparison sort. */
export function startOrder(count: number) {
  const frames = new Uint32Array(count);
  const numbers = new Uint32Array(count);
  let added = 0;
  let lastFrame = 0;
  return {
    add(frame: number, number: number): void {
      frames[added] = frame;
      numbers[added] = number;
      added += 1;
      if (frame > lastFrame) lastFrame = frame;
    },
    byFrame(): Uint32Array {
      /** Start of each frame's rows, then the position of its next row. */
      const places = new Uint32Array(lastFrame + 2);
      for (let row = 0; row < added; row += 1) places[(frames[row] ?? 0) + 1]! += 1;
      for (let frame = 1; frame < places.length; frame += 1) places[frame]! += places[frame - 1] ?? 0;
      const ordered = new Uint32Array(added);
      for (let row = 0; row < added; row += 1) {
        const frame = frames[row] ?? 0;
        const place = places[frame] ?? 0;
        ordered[place] = numbers[row] ?? 0;
        places[frame] = place + 1;
      }
      return ordered;
    },
  };
}

/**
 * Entries of one target by frame, stored as differences in variable-length numbers of 7 bits per byte, lowest first.
 * Most entries take one byte for the frame and one for the id.
 */
interface Run {
  bytes: Uint8Array;
  length: number;
  frame: number;
  id: number;
}

/** There is one run per target and group, so many are short. */
const initialBytes = 256;
/** Two numbers below 2⁵³. */
const maxEntryBytes = 16;

function append(run: Run, frame: number, id: number): void {
  if (run.length + maxEntryBytes > run.bytes.length) {
    const larger = new Uint8Array(run.bytes.length * 2);
    larger.set(run.bytes);
    run.bytes = larger;
  }
  appendNumber(run, frame - run.frame);
  const difference = id - run.id;
  // The lowest bit is the sign.
  appendNumber(run, difference < 0 ? -2 * difference - 1 : 2 * difference);
  run.frame = frame;
  run.id = id;
}

function appendNumber(run: Run, value: number): void {
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) {
    run.bytes[run.length] = (rest % 128) + 128;
    run.length += 1;
  }
  run.bytes[run.length] = rest;
  run.length += 1;
}

/** Next entry of a run. The frame is infinite at the end. */
interface Cursor {
  readonly run: Run;
  at: number;
  frame: number;
  id: number;
}

function advance(cursor: Cursor): void {
  if (cursor.at >= cursor.run.length) {
    cursor.frame = Infinity;
    return;
  }
  cursor.frame += nextNumber(cursor);
  const signed = nextNumber(cursor);
  cursor.id += signed % 2 === 1 ? -(signed + 1) / 2 : signed / 2;
}

function nextNumber(cursor: Cursor): number {
  const { bytes } = cursor.run;
  let value = 0;
  for (let unit = 1; ; unit *= 128) {
    const byte = bytes[cursor.at] ?? 0;
    cursor.at += 1;
    if (byte < 128) return value + byte * unit;
    value += (byte - 128) * unit;
  }
}

function putInOrder(runs: readonly Run[], put: (frame: number, id: number) => void): void {
  const cursors = runs.map((run): Cursor => ({ run, at: 0, frame: 0, id: 0 }));
  for (const cursor of cursors) advance(cursor);
  for (;;) {
    let frame = Infinity;
    for (const cursor of cursors) if (cursor.frame < frame) frame = cursor.frame;
    if (frame === Infinity) return;
    for (const cursor of cursors) {
      for (; cursor.frame === frame; advance(cursor)) put(frame, cursor.id);
    }
  }
}

/**
 * Collects the rows of the table `shape_frame` (shapes by target and frame) in about two bytes per shape. Shapes are
 * added in groups sorted by frame.
 */
export function createShapeDirectory() {
  const targets = new Map<number, Run[]>();
  let count = 0;

  function runFor(target: number, frame: number): Run {
    const runs = targets.get(target) ?? [];
    const last = runs.at(-1);
    if (last && last.frame <= frame) return last;
    const run = { bytes: new Uint8Array(initialBytes), length: 0, frame: 0, id: 0 };
    runs.push(run);
    targets.set(target, runs);
    return run;
  }

  return {
    add(target: number, frame: number, id: number): void {
      append(runFor(target, frame), frame, id);
      count += 1;
    },
    size: () => count,
    /** Calls `put` for each entry by target and frame, in the order in which shapes were added. */
    inOrder(put: (target: number, frame: number, id: number) => void): void {
      for (const target of [...targets.keys()].toSorted((a, b) => a - b)) {
        putInOrder(targets.get(target) ?? [], (frame, id) => put(target, frame, id));
      }
    },
  };
}
