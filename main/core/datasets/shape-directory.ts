const initialCapacity = 1 << 16;

/**
 * Numbers of rows in the order of the rows' frames, and rows of one frame in the order of their numbers. Frame and
 * number in one key sort much faster than a comparison function does: frames stay below 2²¹, numbers below 2³².
 */
export function rowsByFrame(numbers: ArrayLike<number>, frameOf: (number: number) => number): Float64Array {
  const keys = Float64Array.from(numbers, (number) => frameOf(number) * 2 ** 32 + number);
  keys.sort();
  for (let index = 0; index < keys.length; index += 1) keys[index] = (keys[index] ?? 0) % 2 ** 32;
  return keys;
}

/** Which shape stands on which frame of which target: the table `shape_frame` in the making, 16 bytes a shape. */
export function createShapeDirectory() {
  let frames = new Int32Array(initialCapacity);
  let targets = new Int32Array(initialCapacity);
  let ids = new Float64Array(initialCapacity);
  let count = 0;

  function grow(): void {
    const larger = <Column extends Int32Array | Float64Array>(old: Column, empty: Column): Column => {
      empty.set(old);
      return empty;
    };
    const capacity = frames.length * 2;
    frames = larger(frames, new Int32Array(capacity));
    targets = larger(targets, new Int32Array(capacity));
    ids = larger(ids, new Float64Array(capacity));
  }

  return {
    add(target: number, frame: number, id: number): void {
      if (count === frames.length) grow();
      targets[count] = target;
      frames[count] = frame;
      ids[count] = id;
      count += 1;
    },
    size: () => count,
    /** Calls `put` for each entry, by frame and id. */
    inOrder(put: (target: number, frame: number, id: number) => void): void {
      const rows = Uint32Array.from({ length: count }, (_, row) => row);
      for (const row of rowsByFrame(rows, (one) => frames[one] ?? 0)) {
        put(targets[row] ?? 0, frames[row] ?? 0, ids[row] ?? 0);
      }
    },
  };
}
