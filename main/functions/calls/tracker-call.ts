import { createHmac, timingSafeEqual } from 'node:crypto';
import { shapeTypeSchema } from '../../../preload/contract/schema/annotations.ts';
import type { ModelDescription } from '../configuration/model-description.ts';
import { ForwardedError } from '../../platform/errors.ts';
import { badRequest } from './lambda-errors.ts';

type Body = Readonly<Record<string, unknown>>;

/** Fields of a tracker call: the first one sends shapes, later ones the states of the previous answer. */
export function trackerFields(model: ModelDescription, body: Body, states: TrackerStates): Record<string, unknown> {
  const given = body['states'];
  if (Array.isArray(given) && given.length > 0) {
    const open = given.map((state) => (state === null ? null : states.open(model.id, state)));
    return { shapes: open.map(() => null), states: open };
  }
  const { shapes } = body;
  if (!Array.isArray(shapes)) throw missing(model.id, 'shapes');
  return { shapes: shapes.map((shape: unknown) => shapeFor(model, shape)), states: [] };
}

export const missing = (id: string, name: string) =>
  badRequest(`\`${id}\` lambda function was called without mandatory argument: ${name}`);

function shapeFor(model: ModelDescription, shape: unknown): unknown {
  if (shape === null) return null;
  const isBare = Array.isArray(shape);
  const type = isBare ? 'rectangle' : shapeTypeSchema.safeParse(Reflect.get(Object(shape), 'type')).data;
  const points: unknown = isBare ? shape : Reflect.get(Object(shape), 'points');
  if (!Array.isArray(points) || !points.every((value) => Number.isFinite(value))) {
    throw badRequest('Shapes for tracking need a type and points');
  }
  const supported = model.supportedShapeTypes ?? ['rectangle'];
  if (type === undefined || !supported.includes(type)) {
    const named = isBare ? 'rectangle' : String(Reflect.get(Object(shape), 'type'));
    throw badRequest(`This function does not support shapes of type '${named}'`);
  }
  // The older protocol supports only rectangles as bare point arrays.
  return model.supportedShapeTypes === null ? points : { type, points };
}

/** Answer for the client: shapes with a type, and signed states. */
export function trackerAnswer(model: ModelDescription, answer: unknown, states: TrackerStates): unknown {
  const shapes: unknown = Reflect.get(Object(answer), 'shapes');
  const newStates: unknown = Reflect.get(Object(answer), 'states');
  if (!Array.isArray(shapes) || !Array.isArray(newStates)) {
    throw new ForwardedError(500, `The function "${model.id}" did not return shapes and states.`);
  }
  return {
    shapes: shapes.map(trackedShape),
    states: newStates.map((state: unknown) => states.seal(model.id, state)),
  };
}

/** Some trackers of the older protocol return the corners of a rotated box; the rectangle is its bounding box. */
function trackedShape(shape: unknown): unknown {
  if (!Array.isArray(shape)) return shape;
  const points = shape.map(Number);
  if (points.length <= 4) return { type: 'rectangle', points };
  const axis = (offset: number) => points.filter((_value, index) => index % 2 === offset);
  const [x, y] = [axis(0), axis(1)];
  return { type: 'rectangle', points: [Math.min(...x), Math.min(...y), Math.max(...x), Math.max(...y)] };
}

const validMs = 8 * 60 * 60 * 1000;

const invalid = () => badRequest('Invalid or expired tracker state');

/**
 * Tracker states between two calls, stored by the client. Functions deserialize them with trust, so each state is
 * signed for its function and expires after eight hours.
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
