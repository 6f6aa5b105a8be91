import type { ByteInput } from './byte-input.ts';
import {
  byteOf,
  createElementScanner,
  createValueSkipper,
  type ElementScan,
  incomplete,
  skipSpace,
  tooDeep,
  valueEnd,
} from './json-scan.ts';

/** The part of a JSON text that is in memory. Positions are relative to the reading position. */
export interface JsonWindow {
  readonly offset: number;
  readonly available: number;
  readonly lastScan: ElementScan;
  /** Reads until `bytes` are available or the input ends. */
  fill(bytes: number): Promise<void>;
  bytes(from: number, to: number): Buffer;
  /** Passes the bytes between two positions, wrapped in brackets, to `read`. They are valid only during the call. */
  bracketed<Result>(from: number, to: number, read: (bytes: Buffer) => Result): Result;
  advance(bytes: number): void;
  /** Moves to the next byte that is not white space and returns it; undefined at the end. */
  peek(): Promise<number | undefined>;
  skipByteOrderMark(): Promise<void>;
  /** Reads the value at the position into memory and returns its length; undefined if it is larger than `maxBytes`. */
  completeValue(maxBytes: number): Promise<number | undefined>;
  /** Complete elements in memory from the position, about `bytes` in total. */
  scanElements(bytes: number): ElementScan;
  /** Moves past the element at the position if it is larger than `maxBytes`; else reads more of it. */
  skipTooLargeElement(maxBytes: number): Promise<boolean>;
  /** Moves past the value at the position, whatever its size, without validating it. */
  skipValue(): Promise<void>;
}

const initialBytes = 1024 * 1024;
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

interface WindowOptions {
  readonly signal?: AbortSignal;
  readonly progress?: (bytesRead: number) => void;
}

export function createJsonWindow(input: ByteInput, { signal, progress }: WindowOptions): JsonWindow {
  // Reserves one byte before the position and one after the end for the brackets.
  let buffer = Buffer.allocUnsafe(initialBytes + 2);
  let position = 1;
  let end = 1;
  let droppedBytes = 0;
  let finished = false;
  const scanner = createElementScanner();

  const makeRoom = (bytes: number): void => {
    if (position + bytes + 1 <= buffer.length && end + 1 < buffer.length) return;
    const waiting = end - position;
    const isTooSmall = waiting + bytes > buffer.length / 2;
    const target = isTooSmall ? Buffer.allocUnsafe(Math.max(buffer.length * 2, bytes * 2 + 2)) : buffer;
    buffer.copy(target, 1, position, end);
    buffer = target;
    droppedBytes += position - 1;
    position = 1;
    end = 1 + waiting;
  };

  const fill = async (bytes: number): Promise<void> => {
    while (!finished && end - position < bytes) {
      signal?.throwIfAborted();
      makeRoom(bytes);
      const read = await input.read(buffer, end, buffer.length - 1 - end);
      if (read === 0) finished = true;
      end += read;
      progress?.(droppedBytes + end - 1);
    }
  };

  const readTwiceAsMuch = (): Promise<void> => fill((end - position) * 2 + 1);

  const skipValue = async (): Promise<void> => {
    const skipper = createValueSkipper();
    for (;;) {
      position = skipper.skip(buffer, position, end);
      if (skipper.isDone) return;
      await fill(1);
      if (position === end) return;
    }
  };

  return {
    get offset() {
      return droppedBytes + position - 1;
    },
    get available() {
      return end - position;
    },
    lastScan: scanner.result,
    fill,
    bytes: (from, to) => buffer.subarray(position + from, position + to),
    bracketed(from, to, read) {
      const before = position + from - 1;
      const behind = position + to;
      const savedBefore = buffer[before] ?? 0;
      const savedBehind = buffer[behind] ?? 0;
      buffer[before] = byteOf.openBracket;
      buffer[behind] = byteOf.closeBracket;
      try {
        return read(buffer.subarray(before, behind + 1));
      } finally {
        buffer[before] = savedBefore;
        buffer[behind] = savedBehind;
      }
    },
    advance(bytes) {
      position += bytes;
    },
    async peek() {
      for (;;) {
        position = skipSpace(buffer, position, end);
        if (position < end) return buffer[position];
        await fill(1);
        if (position === end) return undefined;
      }
    },
    async skipByteOrderMark() {
      await fill(byteOrderMark.length);
      if (byteOrderMark.equals(buffer.subarray(position, Math.min(end, position + byteOrderMark.length)))) {
        position += byteOrderMark.length;
      }
    },
    async completeValue(maxBytes) {
      for (;;) {
        const behind = valueEnd(buffer, position, end);
        if (behind >= 0) return behind - position;
        if (behind === incomplete && finished) return end - position;
        if (behind === tooDeep || end - position > maxBytes) return undefined;
        await readTwiceAsMuch();
      }
    },
    scanElements: (bytes) => scanner.scan(buffer, position, end, finished, bytes),
    async skipTooLargeElement(maxBytes) {
      if (end - position <= maxBytes) {
        await readTwiceAsMuch();
        return false;
      }
      await skipValue();
      return true;
    },
    skipValue,
  };
}
