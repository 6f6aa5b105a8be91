import type { ByteInput } from './byte-input.ts';

/** Elements found by a scan; places are relative to the window's position. */
export interface ElementScan {
  readonly count: number;
  start(element: number): number;
  end(element: number): number;
  /** Where the next element starts, or just behind the array. */
  readonly next: number;
  readonly closed: boolean;
  /** Why the scan could not go on; the elements before it are good. */
  readonly problem: string | undefined;
}

/** The part of a JSON text that is in memory, and the scanning of it. Places are counted from the reading position. */
export interface JsonWindow {
  /** Of the reading position in the input. */
  readonly offset: number;
  /** Bytes in memory from the reading position on. */
  readonly available: number;
  readonly lastScan: ElementScan;
  /** Reads until `bytes` are available or the input ends. */
  fill(bytes: number): Promise<void>;
  bytes(from: number, to: number): Buffer;
  /** The text between two places, put in brackets. */
  bracketed(from: number, to: number, decode: (bytes: Buffer) => string): string;
  advance(bytes: number): void;
  /** The next byte that is not white space, to which the position moves; undefined at the end. */
  peek(): Promise<number | undefined>;
  skipByteOrderMark(): Promise<void>;
  /** Length of the value at the position, read into memory as a whole; undefined when it is larger than `maxBytes`. */
  completeElement(maxBytes: number): Promise<number | undefined>;
  /** Elements from the position on that are completely in memory, about `bytes` long. */
  scanElements(bytes: number): ElementScan;
  /** Moves behind the element at the position if it is larger than `maxBytes`; else reads more of it. */
  skipTooLargeElement(maxBytes: number): Promise<boolean>;
  /** Moves behind the value at the position, whatever its size, without checking it. */
  skipValue(): Promise<void>;
}

const initialBytes = 1024 * 1024;
/** As much as fits into one batch: so it makes no difference how an element was found. */
const maxDepth = 262_144;

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

const incomplete = -1;
const tooDeep = -2;

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function isDelimiter(byte: number | undefined): boolean {
  return byte === comma || byte === closeBracket || byte === closeBrace || isSpace(byte);
}

interface WindowOptions {
  readonly signal?: AbortSignal | undefined;
  readonly progress?: ((bytesRead: number) => void) | undefined;
}

export function createJsonWindow(input: ByteInput, { signal, progress }: WindowOptions): JsonWindow {
  // One byte stays free before the position and one behind the end, for the brackets.
  let buffer = Buffer.allocUnsafe(initialBytes + 2);
  let position = 1;
  let end = 1;
  let droppedBytes = 0;
  let finished = false;

  const makeRoom = (bytes: number): void => {
    if (position + bytes + 1 <= buffer.length && end + 1 < buffer.length) return;
    const waiting = end - position;
    const target = waiting + bytes > buffer.length / 2 ? Buffer.allocUnsafe(Math.max(buffer.length * 2, bytes * 2 + 2)) : buffer;
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

  const skipSpace = (from: number): number => {
    let at = from;
    while (at < end && isSpace(buffer[at])) at += 1;
    return at;
  };

  /** Index behind the quote that ends the string which starts before `from`. */
  const stringEnd = (from: number): number => {
    for (let at = from; at < end; at += 1) {
      const byte = buffer[at];
      if (byte === quote) return at + 1;
      if (byte === backslash) at += 1;
    }
    return incomplete;
  };

  const containerEnd = (from: number): number => {
    let depth = 0;
    let at = from;
    while (at < end) {
      const byte = buffer[at];
      at += 1;
      if (byte === quote) {
        at = stringEnd(at);
        if (at === incomplete) return incomplete;
      } else if (byte === openBrace || byte === openBracket) {
        depth += 1;
        if (depth > maxDepth) return tooDeep;
      } else if (byte === closeBrace || byte === closeBracket) {
        depth -= 1;
        if (depth === 0) return at;
      }
    }
    return incomplete;
  };

  /** Index behind the value that starts at `from`, which is not checked otherwise. */
  const elementEnd = (from: number): number => {
    const first = buffer[from];
    if (first === openBrace || first === openBracket) return containerEnd(from);
    if (first === quote) return stringEnd(from + 1);
    let at = from;
    while (at < end && !isDelimiter(buffer[at])) at += 1;
    return at < end ? at : incomplete;
  };

  let starts = new Int32Array(4096);
  let ends = new Int32Array(4096);
  let scan = { count: 0, next: 0, closed: false, problem: undefined as string | undefined };
  const lastScan: ElementScan = {
    get count() {
      return scan.count;
    },
    get next() {
      return scan.next;
    },
    get closed() {
      return scan.closed;
    },
    get problem() {
      return scan.problem;
    },
    start: (element) => starts[element] ?? 0,
    end: (element) => ends[element] ?? 0,
  };

  const record = (from: number, to: number): void => {
    if (scan.count === starts.length) {
      const grow = (old: Int32Array): Int32Array<ArrayBuffer> => {
        const larger = new Int32Array(old.length * 2);
        larger.set(old);
        return larger;
      };
      starts = grow(starts);
      ends = grow(ends);
    }
    starts[scan.count] = from - position;
    ends[scan.count] = to - position;
    scan.count += 1;
  };

  /** One element and what follows it. False when the scan is over. */
  const scanElement = (from: number): boolean => {
    const stop = elementEnd(from);
    if (stop === tooDeep) scan.problem = `brackets are nested deeper than ${maxDepth}`;
    else if (stop === from) scan.problem = 'an element is missing';
    if (stop === incomplete && finished) scan.problem = 'the file ends in the middle; it is cut off, or a bracket or quote is missing';
    if (scan.problem !== undefined || stop === incomplete) return false;
    const separator = skipSpace(stop);
    const isComma = buffer[separator] === comma;
    const next = isComma ? skipSpace(separator + 1) : separator + 1;
    if (separator === end || next === end) {
      if (finished && !(separator < end && buffer[separator] === closeBracket)) scan.problem = 'the file ends in the middle';
      if (separator === end || isComma) return false;
    }
    if (!isComma && buffer[separator] !== closeBracket) {
      scan.problem = 'a comma or a closing bracket is missing after the element';
      return false;
    }
    if (isComma && buffer[next] === closeBracket) {
      scan.problem = 'a comma stands before the closing bracket';
      return false;
    }
    record(from, stop);
    scan.next = next - position;
    scan.closed = !isComma;
    return isComma;
  };

  const skipValue = async (): Promise<void> => {
    let depth = 0;
    let inString = false;
    for (;;) {
      await fill(2);
      let at = position;
      for (; at < end; at += 1) {
        const byte = buffer[at];
        if (inString) {
          if (byte === quote) {
            inString = false;
            if (depth === 0) {
              position = at + 1;
              return;
            }
          } else if (byte === backslash) {
            // The escaped byte may lie in the next piece: then this one is looked at again together with it.
            if (at + 1 >= end && !finished) break;
            at += 1;
          }
        } else if (byte === quote) inString = true;
        else if (byte === openBrace || byte === openBracket) depth += 1;
        else if (byte === closeBrace || byte === closeBracket) {
          // At depth 0 the value was a number or a word, and the bracket is somebody else's.
          if (depth <= 1) {
            position = at + depth;
            return;
          }
          depth -= 1;
        } else if (depth === 0 && isDelimiter(byte)) {
          position = at;
          return;
        }
      }
      position = Math.min(at, end);
      if (finished && position >= end) return;
    }
  };

  return {
    get offset() {
      return droppedBytes + position - 1;
    },
    get available() {
      return end - position;
    },
    lastScan,
    fill,
    bytes: (from, to) => buffer.subarray(position + from, position + to),
    bracketed(from, to, decode) {
      const before = position + from - 1;
      const behind = position + to;
      const savedBefore = buffer[before] ?? 0;
      const savedBehind = buffer[behind] ?? 0;
      buffer[before] = openBracket;
      buffer[behind] = closeBracket;
      try {
        return decode(buffer.subarray(before, behind + 1));
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
        position = skipSpace(position);
        if (position < end) return buffer[position];
        await fill(1);
        if (position === end && finished) return undefined;
      }
    },
    async skipByteOrderMark() {
      await fill(3);
      if (end - position >= 3 && buffer[position] === 0xef && buffer[position + 1] === 0xbb && buffer[position + 2] === 0xbf) position += 3;
    },
    async completeElement(maxBytes) {
      for (;;) {
        const stop = elementEnd(position);
        if (stop >= 0) return stop - position;
        if (stop === incomplete && finished) return end - position;
        if (stop === tooDeep || end - position > maxBytes) return undefined;
        await fill((end - position) * 2 + 1);
      }
    },
    scanElements(bytes) {
      scan = { count: 0, next: 0, closed: false, problem: undefined };
      while (scanElement(position + scan.next) && scan.next < bytes);
      return lastScan;
    },
    async skipTooLargeElement(maxBytes) {
      if (end - position <= maxBytes) {
        await fill((end - position) * 2 + 1);
        return false;
      }
      await skipValue();
      return true;
    },
    skipValue,
  };
}
