import { annotationSources } from '../../../preload/contract/annotation-names.ts';
import { tellingSources, truthOf } from './read-attributes.ts';
import { readScore } from './read-score.ts';
import { RecordError, brief, isFiniteNumber, isRecord } from './records.ts';
import { isKeyframe } from './skeletons.ts';
import type { Attribute, LabeledShape } from './task-data.ts';
import { defined } from '../../platform/defined.ts';

/**
 * Extra members that a JSON format does not define but tolerates: unusual properties of a shape. The importer reads
 * them with {@link readExtraFields}.
 */
export function extraFields(shape: LabeledShape): Record<string, unknown> {
  const { occluded, z_order: zOrder, score, outside, source, track_id: trackId, type } = shape;
  return {
    ...defined({
      occluded,
      z_order: zOrder === 0 ? undefined : zOrder,
      score: score === undefined || score === 1 ? undefined : score,
      outside: outside === true ? outside : undefined,
      source: tellingSources.has(source) ? source : undefined,
      track_id: trackId === undefined || type === 'mask' ? undefined : trackId,
      keyframe: trackId === undefined || type === 'mask' ? undefined : isKeyframe(shape),
    }),
  };
}

export interface ExtraFields {
  readonly fields: Pick<LabeledShape, 'occluded' | 'z_order' | 'source'> &
    Pick<Partial<LabeledShape>, 'score' | 'outside' | 'keyframe'>;
  /** Track of the shape. Only with `keyframe`. */
  readonly trackId?: number | string;
}

/** Properties that {@link extraFields} wrote. Values of another type are passed to `lose` as a rule. */
export function readExtraFields(record: Readonly<Record<string, unknown>>, lose: (rule: string) => void): ExtraFields {
  const { occluded, z_order: zOrder, score, outside, source, track_id: trackId, keyframe } = record;
  const isOfTrack = (typeof trackId === 'number' || typeof trackId === 'string') && typeof keyframe === 'boolean';
  return {
    fields: {
      occluded: flagOf(occluded, 'occluded', lose),
      z_order: Number.isSafeInteger(zOrder) ? Number(zOrder) : 0,
      source: annotationSources.find((one) => one === source) ?? 'file',
      ...readScore(score, lose),
      outside: flagOf(outside, 'outside', lose) || undefined,
      keyframe: isOfTrack ? keyframe : undefined,
    },
    trackId: isOfTrack ? trackId : undefined,
  };
}

/** A flag in any spelling; false if it is missing. Other values are passed to `lose` as a rule. */
export function flagOf(value: unknown, name: string, lose: (rule: string) => void): boolean {
  if (value === undefined || value === null) return false;
  const truth = truthOf(value);
  if (truth === undefined) lose(`The value of "${name}" is neither true nor false.`);
  return truth ?? false;
}

/**
 * Members of an optional object as attributes. Values that are not text, number or boolean are passed to `lose` as a
 * rule, and so is anything else than an object.
 */
export function attributesOfRecord(value: unknown, lose: (rule: string) => void): Attribute[] {
  if (value === undefined || value === null) return [];
  if (!isRecord(value)) {
    lose(`Its attributes must be an object, but are ${brief(value)}.`);
    return [];
  }
  return Object.entries(value).flatMap(([name, one]): Attribute[] => {
    if (typeof one === 'string' || typeof one === 'number' || typeof one === 'boolean')
      return [{ name, value: String(one) }];
    if (one !== null) lose(`The attribute "${name}" is neither a string, a number nor a boolean.`);
    return [];
  });
}

/** Numbers of an object by name. Throws `RecordError`. */
export function numbersAt(record: unknown, names: readonly string[], at: string): number[] {
  if (!isRecord(record)) throw new RecordError(at, `must be an object, but is ${brief(record)}`);
  return names.map((name) => {
    const value = record[name];
    if (isFiniteNumber(value)) return value;
    throw new RecordError(at === '' ? name : `${at}.${name}`, `must be a number, but is ${brief(value)}`);
  });
}

/** Pairs `[[x, y], …]` as a flat list of finite numbers. Throws `RecordError` with the path of the invalid value. */
export function readPairs(value: unknown, at: string): number[] {
  if (!Array.isArray(value)) throw new RecordError(at, `must be a list of points, but is ${brief(value)}`);
  return value.flatMap((pair: unknown, index): number[] => {
    // A third number comes from a decimal comma, as in `[1,5,10]`.
    const [x, y, more] = Array.isArray(pair) ? (pair as unknown[]) : isRecord(pair) ? [pair['x'], pair['y']] : [];
    if (isFiniteNumber(x) && isFiniteNumber(y) && more === undefined) return [x, y];
    throw new RecordError(`${at}[${index}]`, `must be two numbers, x and y, but is ${brief(pair)}`);
  });
}

export function pairsOf(points: readonly number[]): [x: number, y: number][] {
  const pairs: [number, number][] = [];
  for (let index = 0; index + 1 < points.length; index += 2) pairs.push([points[index] ?? 0, points[index + 1] ?? 0]);
  return pairs;
}
