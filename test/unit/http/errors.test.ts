import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { errorAnswer } from '../../../main/http/errors.ts';
import { parseInput } from '../../../main/http/validation.ts';
import { throttled } from '../../../main/users/auth/throttle.ts';
import { AppError, invalidField } from '../../../main/platform/errors.ts';
import { createLogger } from '../../../main/platform/log.ts';

function answerTo(error: unknown) {
  const lines: string[] = [];
  const log = createLogger({ console: (line) => lines.push(line) });
  const answer = errorAnswer(error, 'request-7', log);
  return { status: answer.status, headers: answer.headers, text: () => answer.text(), lines };
}

describe('an unexpected error', () => {
  test('is logged under the id that the user sees, and reveals nothing else', async () => {
    const { status, text, lines } = answerTo(new TypeError('secret path /home/me/x'));
    expect(status).toBe(500);
    const body = await text();
    expect(body).toContain('request-7');
    expect(body).not.toContain('secret');
    expect(lines.join('\n')).toMatch(/request-7[\s\S]*secret path|secret path[\s\S]*request-7/);
  });
  test('reveals no details that are only for the log', async () => {
    const { status, text } = answerTo(new AppError('internal', 'secret', { detail: 'secret' }));
    expect(status).toBe(500);
    expect(await text()).not.toContain('secret');
  });
  test.each(['a text', null, undefined, { code: 7 }])('accepts any thrown value: %j', (thrown) => {
    expect(answerTo(thrown).status).toBe(500);
  });
});

test('a disconnected client is not logged as an error', () => {
  const cut = Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
  const waited = new DOMException('This operation was aborted', 'AbortError');
  for (const error of [cut, waited]) expect(answerTo(error)).toMatchObject({ status: 499, lines: [] });
  expect(answerTo(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })).lines).toHaveLength(1);
});

describe('a full disk', () => {
  test.each(['ENOSPC', 'EDQUOT', 'SQLITE_FULL'])('%s is 507 with a sentence', async (code) => {
    const { status, text, lines } = answerTo(Object.assign(new Error('write'), { code }));
    expect(status).toBe(507);
    expect(JSON.parse(await text())).toEqual({
      detail:
        "The disk with Limner's data is full. Data that was saved before is not lost; free some space and try again.",
    });
    expect(lines).toHaveLength(1);
  });
});

describe('a failing disk or store', () => {
  test.each([
    ['EIO', /Cannot read or write.*Nothing was changed/],
    ['SQLITE_IOERR_FSYNC', /Cannot read or write.*Nothing was changed/],
    ['SQLITE_CORRUPT', /store of Limner is damaged.*Nothing was changed.*limner store copies/],
    ['SQLITE_NOTADB', /store of Limner is damaged/],
  ])('%s is 503 with a specific sentence', async (code, sentence) => {
    const { status, text, lines } = answerTo(Object.assign(new Error('read'), { code }));
    expect(status).toBe(503);
    expect(await text()).toMatch(sentence);
    expect(lines).toHaveLength(1);
  });
});

describe('an expected error', () => {
  test('answers its details, or its sentence', async () => {
    expect(await answerTo(invalidField('name', 'Too long.')).text()).toBe('{"name":["Too long."]}');
    expect(await answerTo(new AppError('conflict', 'Busy.')).text()).toBe('{"detail":"Busy."}');
    expect(await answerTo(new AppError('invalid', 'x', ['filter: no'])).text()).toBe('["filter: no"]');
    expect(await answerTo(new AppError('invalid', 'x', 'a text')).text()).toBe('"a text"');
    expect(await answerTo(new AppError('gone', 'x', 'Gone for good')).text()).toBe('Gone for good');
  });
  test('has the headers of its status', () => {
    expect(answerTo(throttled(27)).headers.get('Retry-After')).toBe('27');
    expect(answerTo(new AppError('throttled', 'Not ready.')).headers.get('Retry-After')).toBe('10');
    expect(answerTo(new AppError('unauthenticated', 'Who?')).headers.get('WWW-Authenticate')).toBe('Token');
  });
  test('a busy store allows a retry', () => {
    expect(answerTo(Object.assign(new Error('locked'), { code: 'SQLITE_BUSY' })).status).toBe(503);
  });
});

describe('validation', () => {
  const details = (schema: z.ZodType, input: unknown) => {
    try {
      parseInput(schema, input);
    } catch (error) {
      if (error instanceof AppError) return error.details;
      throw error;
    }
    return 'accepted';
  };

  test('of a list is reported by index, also far into it', () => {
    const schema = z.object({ points: z.array(z.number()) });
    const points = [...Array.from({ length: 5000 }, () => 1), 'x'];
    expect(details(schema, { points })).toEqual({ points: { '5000': ['A valid number is required.'] } });
  });
  test('returns a hundred errors at most', () => {
    const schema = z.object({ points: z.array(z.number()) });
    const answer = details(schema, { points: Array.from({ length: 10_000 }, () => 'x') }) as { points: unknown[] };
    expect(answer.points).toHaveLength(100);
  });
  test.each<[string, z.ZodType, unknown, string]>([
    ['integer', z.int(), 1.5, 'A valid integer is required.'],
    ['infinity', z.number(), Infinity, 'A valid number is required.'],
    ['boolean', z.boolean(), 'yes', 'Must be a valid boolean.'],
    [
      'date',
      z.iso.datetime({ offset: true }),
      '2026',
      'Datetime has wrong format. Use ISO 8601, for example 2026-11-20T09:30:00Z.',
    ],
    ['minimum', z.number().min(1), 0, 'Ensure this value is greater than or equal to 1.'],
    ['below', z.number().lt(5), 5, 'Ensure this value is less than 5.'],
    ['object', z.object({}), 'x', 'Invalid data. Expected a dictionary, but got string.'],
    ['list', z.array(z.string()), { a: 1 }, 'Expected a list of items but got type "object".'],
    ['own message', z.string().regex(/^x$/, 'Write x.'), 'y', 'Write x.'],
  ])('%s', (_, schema, input, message) => {
    expect(details(z.object({ field: schema }), { field: input })).toEqual({ field: [message] });
  });
});
