/** Finds the ends of JSON values in bytes without interpreting them. */

/** Equal to the limit of a batch, so that both ways to find an element accept the same documents. */
const maxDepth = 262_144;

export const byteOf = {
  quote: 0x22,
  comma: 0x2c,
  colon: 0x3a,
  openBracket: 0x5b,
  backslash: 0x5c,
  closeBracket: 0x5d,
  openBrace: 0x7b,
  closeBrace: 0x7d,
} as const;
const { quote, comma, openBracket, backslash, closeBracket, openBrace, closeBrace } = byteOf;

export const incomplete = -1;
export const tooDeep = -2;

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function isDelimiter(byte: number | undefined): boolean {
  return byte === comma || byte === closeBracket || byte === closeBrace || isSpace(byte);
}

export function skipSpace(buffer: Uint8Array, from: number, end: number): number {
  let at = from;
  while (at < end && isSpace(buffer[at])) at += 1;
  return at;
}

/** Index after the closing quote of the string that starts before `from`. */
function stringEnd(buffer: Buffer, from: number, end: number): number {
  for (let at = from; at < end; at += 1) {
    const byte = buffer[at];
    if (byte === quote) return at + 1;
    if (byte === backslash) at += 1;
  }
  return incomplete;
}

function containerEnd(buffer: Buffer, from: number, end: number): number {
  let depth = 0;
  let at = from;
  while (at < end) {
    const byte = buffer[at];
    at += 1;
    if (byte === quote) {
      at = stringEnd(buffer, at, end);
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
}

/** Index after the value that starts at `from`, {@link incomplete} or {@link tooDeep}. Values are not validated. */
export function valueEnd(buffer: Buffer, from: number, end: number): number {
  const first = buffer[from];
  if (first === openBrace || first === openBracket) return containerEnd(buffer, from, end);
  if (first === quote) return stringEnd(buffer, from + 1, end);
  let at = from;
  while (at < end && !isDelimiter(buffer[at])) at += 1;
  return at < end ? at : incomplete;
}

/** Elements found by a scan. Positions are relative to its start. */
export interface ElementScan {
  readonly count: number;
  start(element: number): number;
  end(element: number): number;
  /** Start of the next element, or the position after the array. */
  readonly next: number;
  /** True if the array ended. */
  readonly closed: boolean;
  /** Reason why the scan stopped; the elements before are valid. */
  readonly problem: string | undefined;
}

export interface ElementScanner {
  /** Result of the last scan, overwritten by the next one. */
  readonly result: ElementScan;
  /** Scans the elements from `from` that end before `end`, about `bytes` in total. */
  scan(buffer: Buffer, from: number, end: number, isLast: boolean, bytes: number): ElementScan;
}

const cutOff = 'the file ends in the middle; it is cut off, or a bracket or quote is missing';

export function createElementScanner(): ElementScanner {
  let places = new Int32Array(8192);
  const result = {
    count: 0,
    next: 0,
    closed: false,
    problem: undefined as string | undefined,
    start: (element: number): number => places[element * 2] ?? 0,
    end: (element: number): number => places[element * 2 + 1] ?? 0,
  };

  const record = (start: number, end: number): void => {
    if (result.count * 2 === places.length) {
      const larger = new Int32Array(places.length * 2);
      larger.set(places);
      places = larger;
    }
    places[result.count * 2] = start;
    places[result.count * 2 + 1] = end;
    result.count += 1;
  };

  const stop = (problem?: string): false => {
    result.problem = problem;
    return false;
  };

  /** Scans one element and the bytes after it. Returns false at the end of the scan. */
  const scanOne = (buffer: Buffer, origin: number, end: number, isLast: boolean): boolean => {
    const from = origin + result.next;
    const behind = valueEnd(buffer, from, end);
    if (behind === tooDeep) return stop(`brackets are nested deeper than ${maxDepth}`);
    if (behind === incomplete) return stop(isLast ? cutOff : undefined);
    if (behind === from) return stop('an element is missing');
    const separator = skipSpace(buffer, behind, end);
    if (separator === end) return stop(isLast ? cutOff : undefined);
    if (buffer[separator] === closeBracket) {
      record(result.next, behind - origin);
      result.next = separator + 1 - origin;
      result.closed = true;
      return false;
    }
    if (buffer[separator] !== comma) return stop('a comma or a closing bracket is missing after the element');
    const next = skipSpace(buffer, separator + 1, end);
    if (next === end) return stop(isLast ? cutOff : undefined);
    if (buffer[next] === closeBracket) return stop('a comma stands before the closing bracket');
    record(result.next, behind - origin);
    result.next = next - origin;
    return true;
  };

  return {
    result,
    scan(buffer, from, end, isLast, bytes) {
      result.count = 0;
      result.next = 0;
      result.closed = false;
      result.problem = undefined;
      while (scanOne(buffer, from, end, isLast) && result.next < bytes);
      return result;
    },
  };
}

export interface ValueSkipper {
  /** Continues with the value in the next bytes. Returns the index after it, or of the first unread byte. */
  skip(buffer: Buffer, from: number, end: number): number;
  readonly isDone: boolean;
}

/** Skips a value that need not be in memory completely, without validating it. */
export function createValueSkipper(): ValueSkipper {
  let depth = 0;
  let inString = false;
  let isEscaped = false;
  let isDone = false;

  const finishAt = (index: number): number => {
    isDone = true;
    return index;
  };

  /** Reads one byte inside a string. Returns true at the end of the value. */
  const inText = (byte: number | undefined): boolean => {
    if (isEscaped) isEscaped = false;
    else if (byte === backslash) isEscaped = true;
    else if (byte === quote) {
      inString = false;
      return depth === 0;
    }
    return false;
  };

  return {
    get isDone() {
      return isDone;
    },
    skip(buffer, from, end) {
      for (let at = from; at < end; at += 1) {
        const byte = buffer[at];
        if (inString) {
          if (inText(byte)) return finishAt(at + 1);
        } else if (byte === quote) inString = true;
        else if (byte === openBrace || byte === openBracket) depth += 1;
        else if (byte === closeBrace || byte === closeBracket) {
          // At depth 0 the value was a number or a word, and the bracket belongs to its parent.
          if (depth <= 1) return finishAt(at + depth);
          depth -= 1;
        } else if (depth === 0 && isDelimiter(byte)) return finishAt(at);
      }
      return end;
    },
  };
}
