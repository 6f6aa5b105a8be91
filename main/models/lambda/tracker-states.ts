import { createHmac, timingSafeEqual } from 'node:crypto';
import { badRequest } from './lambda-errors.ts';

const validMs = 8 * 60 * 60 * 1000;

const invalid = () => badRequest('Invalid or expired tracker state');

/**
 * What a tracker must know of the frame before, given to the client and taken back from it. A state that comes back goes
 * into the function as data, and functions read theirs by means that trust it: so it is signed for its function, and
 * stale after eight hours.
 */
export function createTrackerStates(key: Buffer, nowMs: () => number = Date.now) {
  const sign = (functionId: string, payload: string): Buffer =>
    createHmac('sha256', key).update(`${functionId}\n${payload}`).digest();

  return {
    seal(functionId: string, state: unknown): string {
      const payload = `${nowMs()}.${Buffer.from(JSON.stringify(state ?? null)).toString('base64url')}`;
      return `${payload}.${sign(functionId, payload).toString('base64url')}`;
    },
    /** @throws ForwardedError 400 */
    open(functionId: string, text: unknown): unknown {
      const [, time = '', body = '', signature = ''] = /^(\d{1,16})\.([\w-]*)\.([\w-]+)$/.exec(String(text)) ?? [];
      const given = Buffer.from(signature, 'base64url');
      const wanted = sign(functionId, `${time}.${body}`);
      if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) throw invalid();
      if (nowMs() - Number(time) > validMs) throw invalid();
      return JSON.parse(Buffer.from(body, 'base64url').toString('utf8')) as unknown;
    },
  };
}
export type TrackerStates = ReturnType<typeof createTrackerStates>;
