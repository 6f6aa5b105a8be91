/** Least-recently-used cache with a budget in bytes. */
interface ByteCache<Key, Value> {
  get(key: Key): Value | undefined;
  has(key: Key): boolean;
  set(key: Key, value: Value, sizeBytes: number): void;
  drop(key: Key): void;
  dropIf(isDropped: (key: Key, value: Value) => boolean): void;
  /** Removes all values except one. */
  clear(except?: Key): void;
  readonly sizeBytes: number;
}

/** Calls `dispose` for evicted values. `pinned` keys stay regardless of the budget. */
export function createByteCache<Key, Value>(
  budgetBytes: number,
  dispose: (value: Value) => void,
  pinned: (key: Key) => boolean = () => false,
): ByteCache<Key, Value> {
  const entries = new Map<Key, { readonly value: Value; readonly sizeBytes: number }>();
  let total = 0;

  const drop = (key: Key): void => {
    const entry = entries.get(key);
    if (entry === undefined) return;
    entries.delete(key);
    total -= entry.sizeBytes;
    dispose(entry.value);
  };

  return {
    get sizeBytes() {
      return total;
    },
    has: (key) => entries.has(key),
    get(key) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      entries.delete(key);
      entries.set(key, entry);
      return entry.value;
    },
    set(key, value, sizeBytes) {
      drop(key);
      entries.set(key, { value, sizeBytes });
      total += sizeBytes;
      for (const oldest of entries.keys()) {
        if (total <= budgetBytes) break;
        if (oldest !== key && !pinned(oldest)) drop(oldest);
      }
    },
    drop,
    dropIf(isDropped) {
      for (const [key, { value }] of entries) if (isDropped(key, value)) drop(key);
    },
    clear(except) {
      for (const key of entries.keys()) if (key !== except) drop(key);
    },
  };
}

export const bitmapBytes = ({ width, height }: ImageBitmap): number => width * height * 4;
