import { setImmediate as nextTurn } from 'node:timers/promises';
import type { z } from 'zod';
import { AppError } from '../platform/errors.ts';
import { streamInput } from '../formats/io/byte-input.ts';
import { readJsonArrays } from '../formats/io/json-array-reader.ts';
import { bodyBytes, contentType, declaredLength, hasBody, isJson, unsupportedMediaType } from './request-body.ts';
import type { RequestContext } from './request-context.ts';
import { parseInput, parsePortion } from './validation.ts';

/**
 * Bodies above this size are read in portions, which costs more in total. A smaller one is parsed, checked and stored
 * in less than 50 ms.
 */
const largeBytes = 512 * 1024;
const maxLargeBytes = 1024 * 1024 * 1024;
/** The reader passes on batches of 256 KB: each portion has some 40 KB of JSON. */
const portionsOfBatch = 6;

/** Reads the lists of a JSON object in portions: each is an object with a part of one list. */
export type ReadPortions<Value> = (take: (portion: Value) => Promise<void>) => Promise<void>;

/** True if the body is too large to be parsed at once. Its length is unknown if it is sent in chunks. */
export const isLarge = ({ headers }: Request): boolean =>
  hasBody(headers) && (declaredLength(headers) ?? Infinity) > largeBytes;

/**
 * Reads a JSON body of any size in memory for some portions.
 * @throws AppError as `readJson` and `parseBody`
 */
export async function readPortions<Schema extends z.ZodType>(
  schema: Schema,
  request: RequestContext,
  take: (portion: z.output<Schema>) => Promise<void>,
): Promise<void> {
  const { headers } = request.raw;
  if (!isJson(contentType(headers))) throw unsupportedMediaType(headers);
  const seen = new Set<string>();
  async function takeItems(key: string, items: readonly unknown[], firstIndex: number): Promise<void> {
    const size = Math.ceil(items.length / portionsOfBatch);
    for (let at = 0; at < items.length; at += size) {
      await take(parsePortion(schema, key, items.slice(at, at + size), firstIndex + at));
      await nextTurn();
    }
  }
  await readJsonArrays(streamInput(bodyBytes(request, maxLargeBytes)), {
    value: (key, value) => void parseInput(schema, key === undefined ? value : { [key]: value }),
    array(key) {
      if (key === undefined) return void parseInput(schema, []);
      if (seen.has(key)) throw repeated(key);
      seen.add(key);
      return (items, firstIndex) => takeItems(key, items, firstIndex);
    },
  });
}

function repeated(key: string): AppError {
  const message = `JSON parse error - the key "${key}" is there twice. Send each list once.`;
  return new AppError('invalid', message, { detail: message });
}
