/** Files up to this size are received in memory, and written while the next one is received. */
const smallBytes = 256 * 1024;
/** Writes at the same time. They share the commits of the file system. */
const concurrency = 16;

interface SmallBody {
  readonly bytes: Buffer;
  /** The complete body if it is not small. */
  readonly rest?: AsyncIterable<Uint8Array>;
}

/** Reads a body into memory, unless it is longer than a small file. */
export async function takeSmall(body: AsyncIterable<Uint8Array>): Promise<SmallBody> {
  const pieces = body[Symbol.asyncIterator]();
  const taken: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const next = await pieces.next();
    if (next.done === true) return { bytes: Buffer.concat(taken, length) };
    taken.push(next.value);
    length += next.value.byteLength;
    if (length > smallBytes) return { bytes: Buffer.alloc(0), rest: continued(taken, pieces) };
  }
}

async function* continued(taken: readonly Uint8Array[], pieces: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* taken;
  for (let next = await pieces.next(); next.done !== true; next = await pieces.next()) yield next.value;
}

/** Runs a limited number of writes at the same time. The first error is thrown by the next call. */
export function createParallelWrites() {
  const running = new Set<Promise<void>>();
  const errors: unknown[] = [];
  const throwFirst = (): void => {
    if (errors.length > 0) throw errors[0];
  };
  return {
    /** Returns when another write may be started. */
    async start(write: () => Promise<void>): Promise<void> {
      throwFirst();
      const one: Promise<void> = write()
        .catch((error: unknown) => void errors.push(error))
        .finally(() => running.delete(one));
      running.add(one);
      if (running.size >= concurrency) await Promise.race(running);
    },
    async end(): Promise<void> {
      await Promise.all(running);
      throwFirst();
    },
  };
}
