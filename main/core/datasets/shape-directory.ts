const initialCapacity = 1 << 16;

/**
 * Puts the numbers of rows in the order of the rows' frames; rows of one frame keep the order of their numbers. Frame
 * and number in one key sort much faster than a comparison function does: frames stay below 2²¹, numbers below 2³².
 */
export function startOrder(count: number) {
  const keys = new Float64Array(count);
  let added = 0;
  return {
    add(frame: number, number: number): void {
      keys[added] = frame * 2 ** 32 + number;
      added += 1;
    },
    byFrame(): Float64Array {
      keys.sort();
      for (let index = 0; index < count; index += 1) keys[index] = (keys[index] ?? 0) % 2 ** 32;
      return keys;
    },
  };
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
      const order = startOrder(count);
      for (let row = 0; row < count; row += 1) order.add(frames[row] ?? 0, row);
      for (const row of order.byFrame()) {
        put(targets[row] ?? 0, frames[row] ?? 0, ids[row] ?? 0);
      }
    },
  };
}
