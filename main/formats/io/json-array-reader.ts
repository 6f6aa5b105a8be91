import { AppError } from '../../platform/errors.ts';
import type { ByteInput } from './byte-input.ts';
import { byteOf } from './json-scan.ts';
import { parseJsonBytes } from './json-text.ts';
import { createJsonWindow, type JsonWindow } from './json-window.ts';

/** Gets the elements of a top-level array in batches, in order; `firstIndex` is the index of the first one. */
export type JsonItemsHandler = (items: readonly unknown[], firstIndex: number) => void | Promise<void>;

/** An array with a decoder of its own: it is asked first, and gives undefined for what `JSON.parse` has to read. */
export interface DecodedItems {
  readonly decode: (list: Buffer) => unknown[] | undefined;
  readonly items: JsonItemsHandler;
}

/** What to do with a top-level array: hand out its elements, skip it unchecked, or (undefined) check and drop it. */
export type JsonArrayUse = JsonItemsHandler | DecodedItems | 'skip' | undefined;

export interface JsonBadElement {
  /** Undefined where the document itself is the array. */
  readonly key: string | undefined;
  readonly index: number;
  readonly reason: string;
}

export interface JsonArrayOptions {
  /** Asked once for every top-level array, before its elements are read. `offset` is the key's place in the input. */
  readonly array?: (key: string | undefined, offset: number) => JsonArrayUse | Promise<JsonArrayUse>;
  /** Gets every top-level value that is not an array; `key` is undefined when it is the whole document. */
  readonly value?: (key: string | undefined, value: unknown) => void | Promise<void>;
  /** With options for a top-level object, its members are read one by one as these say, as if it were the document. */
  readonly object?: (key: string) => JsonArrayOptions | undefined;
  /** With it, a value that cannot be parsed is reported and the rest goes on; without it, reading fails. */
  readonly badValue?: (key: string, reason: string) => void;
  /** With it, an element that cannot be parsed is reported and the rest goes on; without it, reading fails. */
  readonly bad?: (element: JsonBadElement) => void;
  /** The input starts at a key inside the top-level object instead of at the document's start. */
  readonly startsAtKey?: boolean;
  /** Reading ends without looking further when a key is about to start at this offset. */
  readonly stopAtKey?: () => number | undefined;
  readonly signal?: AbortSignal;
  readonly progress?: (bytesRead: number) => void;
}

const batchBytes = 256 * 1024;
/** One element, or one value that is not an array, may not be larger. */
const maxElementBytes = 64 * 1024 * 1024;
/** After so many wrong guesses in a row an array is read by scanning only. */
const maxWrongGuesses = 3;

const { quote, comma, colon, openBracket, closeBracket, openBrace, closeBrace } = byteOf;

interface ArrayState {
  readonly key: string | undefined;
  readonly use: JsonItemsHandler | undefined;
  readonly decode: DecodedItems['decode'] | undefined;
  index: number;
  /** Bytes from the end of one element to the first key of the next, learned from the file: `},{"id"`. */
  separator: Buffer | undefined;
  /** Bytes of it that lie before the next element. */
  separatorGap: number;
  wrongGuesses: number;
}

/**
 * Reads a JSON document of any size with memory for a chunk: elements of top-level arrays come in batches, each parsed
 * by `JSON.parse`, so exactly what `JSON.parse` accepts is accepted (a byte order mark too; not accepted are elements
 * of more than 64 MB and nesting deeper than 262,144). A repeated key is handed out as often as it stands there.
 *
 * How elements are found: the bytes between two elements are alike all through a file, so the last place that looks
 * like that in the next 256 KB is taken as the end of a batch. If what lies before it parses as a list of elements, it
 * was one: JSON is read from left to right, and the same bytes after the same start can mean nothing else. If it does
 * not parse, the batch is scanned byte by byte, which also finds the single element that is wrong.
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
  return new AppError('invalid', `The JSON cannot be read at byte ${window.offset}: ${reason}.`);
}

function unexpected(window: JsonWindow, byte: number | undefined, expected: string): AppError {
  if (byte === undefined)
    return unreadable(window, 'the file ends in the middle; it is cut off, or a bracket or quote is missing');
  return unreadable(window, `${expected} is missing`);
}

/** Reads `"key": value, … }`. False when `stopAtKey` ended it. */
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
    // What starts with a quote and parses is a string.
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

/** The next elements, up to the last place in the window that looks like a boundary; undefined when it was none. */
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

/** The elements that lie between two places of the window, or the reason why they do not parse. */
function parseList(window: JsonWindow, from: number, to: number, decode?: DecodedItems['decode']): unknown[] | string {
  try {
    // A list in brackets parses to an array.
    return window.bracketed(from, to, (bytes) => decode?.(bytes) ?? (parseJsonBytes(bytes) as unknown[]));
  } catch (error) {
    return messageOf(error);
  }
}

/** Reads elements by looking at every byte. True when the array ended. */
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

/** Behind an element that was skipped: a comma and the next element, or the end of the array. */
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
  if (!options.bad) throw new AppError('invalid', `The JSON cannot be read: ${state.key ?? ''}[${index}] ${reason}.`);
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

/** Takes over the bytes between two objects as this file writes them, up to the first key's closing quote. */
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
