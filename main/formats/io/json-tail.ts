import { type FileHandle, open } from 'node:fs/promises';
import { AppError } from '../../platform/errors.ts';
import { openRangeInput } from './byte-input.ts';
import { type JsonArrayOptions, readJsonArrays } from './json-array-reader.ts';
import type { LocalRange } from './source.ts';

const chunkBytes = 4 * 1024 * 1024;
/** The search stops after this many positions that were not keys. */
const maxCandidates = 64;
/** The search also stops when its attempts have read as many bytes as this many passes. */
const maxReadings = 1;

const backslash = 0x5c;

export type JsonTail =
  /** The document's members were read from this offset. */
  | { readonly found: 'members'; readonly offset: number }
  /** None of the keys occurs after the start. */
  | { readonly found: 'nothing' }
  /** The keys occur, but no position could be read to the end. */
  | { readonly found: 'unclear' };

/** Positions of the needles in a range, last first. */
async function* placesBackwards(
  handle: FileHandle,
  range: LocalRange,
  from: number,
  needles: readonly Buffer[],
): AsyncGenerator<number> {
  const overlap = Math.max(...needles.map((needle) => needle.length));
  const buffer = Buffer.allocUnsafe(chunkBytes + overlap);
  for (let high = range.sizeBytes; high > from; high -= chunkBytes) {
    const low = Math.max(from, high - chunkBytes);
    const length = Math.min(range.sizeBytes, high + overlap - 1) - low;
    const { bytesRead } = await handle.read(buffer, 0, length, range.offset + low);
    const chunk = buffer.subarray(0, bytesRead);
    for (let before = high - low; before > 0;) {
      const place = Math.max(...needles.map((needle) => chunk.lastIndexOf(needle, before - 1)));
      if (place < 0) break;
      before = place;
      // An escaped quote does not start a key.
      if (chunk[place - 1] !== backslash) yield low + place;
    }
  }
}

/**
 * Reads the members of a JSON object after a large array before the array itself, because small tables often follow the
 * data that needs them. Searches for `keys` from the end of the range back to `from` and reads from there to the end of
 * the document. If all of it is `"key": value, … }`, the position is a key of the document: a deeper key would leave
 * brackets open.
 *
 * `attempt` returns new handlers for each try, since a try may fail half way. After a successful try, `commit` stores
 * the members and returns true if they are enough.
 */
export async function readJsonTail(
  range: LocalRange,
  from: number,
  keys: readonly string[],
  attempt: () => { readonly options: JsonArrayOptions; readonly commit: () => boolean },
): Promise<JsonTail> {
  const handle = await open(range.path, 'r');
  const needles = keys.map((key) => Buffer.from(JSON.stringify(key)));
  let best: number | undefined;
  let candidates = 0;
  let wastedBytes = 0;
  try {
    for await (const place of placesBackwards(handle, range, from, needles)) {
      candidates += 1;
      const { options, commit } = attempt();
      const { isEnd, readBytes } = await readFrom(range, place, best, options);
      if (isEnd) {
        best = place;
        if (commit()) break;
      } else wastedBytes += readBytes;
      if (candidates >= maxCandidates || wastedBytes > maxReadings * range.sizeBytes) break;
    }
  } finally {
    await handle.close();
  }
  if (best !== undefined) return { found: 'members', offset: best };
  return { found: candidates === 0 ? 'nothing' : 'unclear' };
}

/** Reads members from a position to the end, or to a known key. `isEnd` is false if other text is there. */
async function readFrom(
  range: LocalRange,
  offset: number,
  known: number | undefined,
  options: JsonArrayOptions,
): Promise<{ readonly isEnd: boolean; readonly readBytes: number }> {
  const input = await openRangeInput(range, offset);
  let readBytes = 0;
  const progress = (bytes: number): void => {
    readBytes = bytes;
  };
  try {
    const stopAtKey = (): number | undefined => (known === undefined ? undefined : known - offset);
    await readJsonArrays(input, { ...options, progress, startsAtKey: true, stopAtKey });
    return { isEnd: true, readBytes };
  } catch (error) {
    options.signal?.throwIfAborted();
    if (error instanceof AppError && error.code === 'invalid') return { isEnd: false, readBytes };
    throw error;
  } finally {
    await input.close();
  }
}
