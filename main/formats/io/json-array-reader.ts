import { AppError } from '../../platform/errors.ts';
import type { ByteInput } from './byte-input.ts';
import { byteOf } from './json-scan.ts';
import { parseJsonBytes } from './json-text.ts';
import { createJsonWindow, type JsonWindow } from './json-window.ts';

/** Receives the elements of a top-level array in batches, in order. `firstIndex` is the index of the first one. */
export type JsonItemsHandler = (items: readonly unknown[], firstIndex: number) => void | Promise<void>;

/** An array with its own decoder, which returns undefined for bytes that `JSON.parse` has to read. */
export interface DecodedItems {
  readonly decode: (list: Buffer) => unknown[] | undefined;
  readonly items: JsonItemsHandler;
}

/** Use of a top-level array: pass on its elements, skip it unchecked, or (undefined) check and drop it. */
export type JsonArrayUse = JsonItemsHandler | DecodedItems | 'skip' | undefined;

export interface JsonBadElement {
  /** Undefined if the document itself is the array. */
  readonly key: string | undefined;
  readonly index: number;
  readonly reason: string;
}

export interface JsonArrayOptions {
  /** Called once per top-level array, before its elements are read. `offset` is the key's position in the input. */
  readonly array?: (key: string | undefined, offset: number) => JsonArrayUse | Promise<JsonArrayUse>;
  /** Receives every top-level value that is not an array. `key` is undefined if the value is the document. */
  readonly value?: (key: string | undefined, value: unknown) => void | Promise<void>;
  /** Returns options for a top-level object, whose members are then read like those of the document. */
  readonly object?: (key: string) => JsonArrayOptions | undefined;
  /** Receives values that cannot be parsed, and reading continues. Without it, reading fails. */
  readonly badValue?: (key: string, reason: string) => void;
  /** Receives elements that cannot be parsed, and reading continues. Without it, reading fails. */
  readonly bad?: (element: JsonBadElement) => void;
  /** True if the input starts at a key of the top-level object instead of the document's start. */
  readonly startsAtKey?: boolean;
  readonly stopAtKey?: () => number | undefined;
  readonly signal?: AbortSignal;
  readonly progress?: (bytesRead: number) => void;
}

const batchBytes = 256 * 1024;
/** Maximum size of one element or non-array value. */
const maxElementBytes = 64 * 1024 * 1024;
/** After this many wrong guesses in a row, an array is read by scanning only. */
const maxWrongGuesses = 3;

const { quote, comma, colon, openBracket, closeBracket, openBrace, closeBrace } = byteOf;

interface ArrayState {
  readonly key: string | undefined;
  readonly use: JsonItemsHandler | undefined;
  readonly decode: DecodedItems['decode'] | undefined;
  index: number;
  /** Bytes from the end of one element to the first key of the next, learned from the file: `},{"id"`. */
  separator: Buffer | undefined;
  /** Number of separator bytes before the next element. */
  separatorGap: number;
  wrongGuesses: number;
}

/**
 * Reads a JSON document of any size in memory for one chunk. Elements of top-level arrays come in batches that
 * `JSON.parse` parses, so it accepts the same documents, and a byte order mark. Elements over 64 MB and nesting deeper
 * than 262,144 are rejected. A repeated key is passed on each time.
 *
 * Boundaries are guessed: the bytes between two elements are the same in all of a file, so their last occurrence in the
 * next 256 KB is taken as the end of a batch. If the bytes before it parse as a list of elements, the guess was right,
 * because JSON is read from left to right and a prefix has only one meaning. Otherwise, the batch is scanned byte by
 * byte, which also finds the invalid element.
 */
export async function readJsonArrays(input: ByteInput, options: JsonArrayOptions = {}): Promise<void> {
  const window = createJsonWindow(input, { signal: options.signal, progress: options.progress });
  const { startsAtKey = false } = options;
  if (!startsAtKey) await window.skipByteOrderMark();
  const first = startsAtKey ? openBrace : await window.peek();
  if (first === openBrace) {
    if (!startsAtKey) window.advance(1);
    const finished = await readMembers(window, options);
    if (!finished) return;
  } else if (first === openBracket) {
    await readArray(window, undefined, options);
  } else {
    const value = await readValue(window, 'the document');
    await options.value?.(undefined, value);
  }
  if ((await window.peek()) !== undefined) throw unreadable(window, 'more text follows where the document should end');
}

function unreadable(window: JsonWindow, reason: string): AppError {
  return new AppError('invalid', `Cannot read the JSON at byte ${window.offset}: ${reason}.`);
}

function unexpected(window: JsonWindow, byte: number | undefined, expected: string): AppError {
  if (byte === undefined)
    return unreadable(window, 'the file ends in the middle; it is cut off, or a bracket or quote is missing');
  return unreadable(window, `${expected} is missing`);
}

/** Reads `"key": value, … }`. Returns false if `stopAtKey` ended it. */
async function readMembers(window: JsonWindow, options: JsonArrayOptions): Promise<boolean> {
  let byte = await window.peek();
  if (byte === closeBrace) {
    window.advance(1);
    return true;
  }
  for (;;) {
    if (window.offset === options.stopAtKey?.()) return false;
    if (byte !== quote) throw unexpected(window, byte, 'a key in quotes');
    const keyOffset = window.offset;
    const key = await readValue(window, 'a key');
    byte = await window.peek();
    if (byte !== colon) throw unexpected(window, byte, 'a colon after a key');
    window.advance(1);
    // A parsed value that starts with a quote is a string.
    await readMember(window, key as string, keyOffset, options);
    byte = await window.peek();
    if (byte === closeBrace) {
      window.advance(1);
      return true;
    }
    if (byte !== comma) throw unexpected(window, byte, 'a comma or a closing brace');
    window.advance(1);
    byte = await window.peek();
  }
}

async function readMember(
  window: JsonWindow,
  key: string,
  keyOffset: number,
  options: JsonArrayOptions,
): Promise<void> {
  const byte = await window.peek();
  if (byte === openBracket) {
    await readArray(window, key, options, keyOffset);
    return;
  }
  const inner = byte === openBrace ? options.object?.(key) : undefined;
  if (inner) {
    window.advance(1);
    if ((await window.peek()) === undefined) throw unexpected(window, undefined, '');
    await readMembers(window, inner);
    return;
  }
  let reason: string | undefined;
  const bad = (problem: string): void => {
    reason = problem;
  };
  const value = await readValue(window, `"${key}"`, options.badValue && bad);
  if (reason === undefined) await options.value?.(key, value);
  else options.badValue?.(key, reason);
}

async function readValue(window: JsonWindow, what: string, bad?: (reason: string) => void): Promise<unknown> {
  if ((await window.peek()) === undefined) throw unexpected(window, undefined, '');
  const length = await window.completeValue(maxElementBytes);
  if (length === undefined) throw unreadable(window, `${what} is larger than 64 MB`);
  try {
    return parseJsonBytes(window.bytes(0, length));
  } catch (error) {
    if (!bad) throw unreadable(window, `${what} is not valid (${messageOf(error)})`);
    return bad(`is not valid JSON (${messageOf(error)})`);
  } finally {
    window.advance(length);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'unknown';
}

async function readArray(
  window: JsonWindow,
  key: string | undefined,
  options: JsonArrayOptions,
  offset = 0,
): Promise<void> {
  const use = await options.array?.(key, offset);
  if (use === 'skip') {
    await window.skipValue();
    return;
  }
  window.advance(1);
  if ((await window.peek()) === closeBracket) {
    window.advance(1);
    return;
  }
  const handler = typeof use === 'object' ? use : { items: use, decode: undefined };
  const state: ArrayState = {
    key,
    use: handler.items,
    decode: handler.decode,
    index: 0,
    separator: undefined,
    separatorGap: 0,
    wrongGuesses: 0,
  };
  for (;;) {
    await window.fill(batchBytes);
    const guessed = takeGuessedBatch(window, state);
    if (guessed) {
      await state.use?.(guessed, state.index);
      state.index += guessed.length;
    } else if (await takeScannedBatch(window, state, options)) return;
  }
}

/** Takes the elements up to the last possible boundary in the window; undefined if the guess was wrong. */
function takeGuessedBatch(window: JsonWindow, state: ArrayState): unknown[] | undefined {
  const { separator } = state;
  if (!separator || state.wrongGuesses >= maxWrongGuesses) return undefined;
  const boundary = window.bytes(0, Math.min(window.available, batchBytes)).lastIndexOf(separator);
  if (boundary < 0) return undefined;
  const items = parseList(window, 0, boundary + 1, state.decode);
  if (!Array.isArray(items)) {
    state.wrongGuesses += 1;
    return undefined;
  }
  state.wrongGuesses = 0;
  window.advance(boundary + state.separatorGap);
  return items;
}

/** Parses the elements between two positions of the window, or returns the reason why it cannot. */
function parseList(window: JsonWindow, from: number, to: number, decode?: DecodedItems['decode']): unknown[] | string {
  try {
    // A list in brackets parses to an array.
    return window.bracketed(from, to, (bytes) => decode?.(bytes) ?? (parseJsonBytes(bytes) as unknown[]));
  } catch (error) {
    return messageOf(error);
  }
}

/** Reads elements by scanning every byte. Returns true at the end of the array. */
async function takeScannedBatch(window: JsonWindow, state: ArrayState, options: JsonArrayOptions): Promise<boolean> {
  const at = (index: number): string => `${state.key ?? ''}[${index}]`;
  const scan = window.scanElements(batchBytes);
  if (scan.problem !== undefined && scan.count === 0) throw unreadable(window, `${at(state.index)}: ${scan.problem}`);
  if (scan.count === 0) {
    if (await window.skipTooLargeElement(maxElementBytes)) {
      reportBad(state, options, state.index, 'is larger than 64 MB');
      state.index += 1;
      return afterElement(window, at(state.index));
    }
    return false;
  }
  const items = parseList(window, scan.start(0), scan.end(scan.count - 1), state.decode);
  if (Array.isArray(items)) await state.use?.(items, state.index);
  else await deliverOneByOne(window, state, options);
  state.index += scan.count;
  if (scan.count > 1) learnSeparator(window, state, scan.end(0), scan.start(1));
  window.advance(scan.next);
  return scan.closed;
}

/** Moves from a skipped element past the comma to the next one, or past the end of the array. */
async function afterElement(window: JsonWindow, at: string): Promise<boolean> {
  const byte = await window.peek();
  if (byte !== comma && byte !== closeBracket) throw unexpected(window, byte, `a comma before ${at}`);
  window.advance(1);
  if (byte === closeBracket) return true;
  const next = await window.peek();
  if (next === comma || next === closeBracket) throw unexpected(window, next, `${at}, after a comma,`);
  return false;
}

function reportBad(state: ArrayState, options: JsonArrayOptions, index: number, reason: string): void {
  if (!options.bad) throw new AppError('invalid', `Cannot read the JSON: ${state.key ?? ''}[${index}] ${reason}.`);
  options.bad({ key: state.key, index, reason });
}

async function deliverOneByOne(window: JsonWindow, state: ArrayState, options: JsonArrayOptions): Promise<void> {
  const scan = window.lastScan;
  let good: unknown[] = [];
  let firstIndex = state.index;
  const deliver = async (): Promise<void> => {
    if (good.length > 0) await state.use?.(good, firstIndex);
    good = [];
  };
  for (let element = 0; element < scan.count; element += 1) {
    const parsed = parseList(window, scan.start(element), scan.end(element));
    if (Array.isArray(parsed)) {
      good.push(parsed[0]);
      continue;
    }
    await deliver();
    reportBad(state, options, state.index + element, `is not valid JSON (${parsed})`);
    firstIndex = state.index + element + 1;
  }
  await deliver();
}

/** Stores the bytes between two objects, up to the closing quote of the first key. */
function learnSeparator(window: JsonWindow, state: ArrayState, end: number, nextStart: number): void {
  const next = window.bytes(nextStart, Math.min(nextStart + 256, window.available));
  const keyEnd = next.indexOf(quote, next.indexOf(quote) + 1);
  const isObject = next[0] === openBrace && window.bytes(end - 1, end)[0] === closeBrace;
  if (!isObject || keyEnd < 0) {
    state.separator = undefined;
    return;
  }
  state.separator = Buffer.from(window.bytes(end - 1, nextStart + keyEnd + 1));
  state.separatorGap = nextStart - end + 1;
}
