import type { AnnotationSource, ShapeType } from '../contract/annotation-names.ts';
import { boundingBox, type ShapeOutline } from './geometry.ts';
import type { FilterField, FilterLabel, ObjectType, PlainField } from '../contract/object-filter/filter-fields.ts';
import type { FilterCondition, FilterGroup, FilterRule, FilterValue } from '../contract/object-filter/object-filter.ts';

export interface FilterObject {
  readonly type: ObjectType;
  readonly serverId: number | null;
  readonly labelId: number;
  readonly frame: number;
  readonly group: number;
  readonly source: AnnotationSource;
  readonly attributes: readonly { readonly spec_id: number; readonly value: string }[];
  /** Null for a tag. */
  readonly shape: FilteredShape | null;
}

export interface FilteredShape extends ShapeOutline {
  readonly type: ShapeType;
  readonly rotation: number;
  readonly occluded: boolean;
  /** Null for objects without a score, such as tracks. */
  readonly score: number | null;
  readonly zOrder: number;
}

type Found = FilterValue | null;
type Read = (object: FilterObject) => Found;

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Size as drawn, without the rotation. */
function sizeOf({ type, points, elements = [] }: FilteredShape): Size | null {
  const box = boundingBox({ type, points, elements });
  return box === null ? null : { width: box.right - box.left, height: box.bottom - box.top };
}

/** Caches the size of an object, because a filter may test it several times. */
function createSizes() {
  const known = new WeakMap<FilteredShape, Size | null>();
  return (shape: FilteredShape | null): Size | null => {
    if (shape === null) return null;
    const size = known.get(shape) ?? sizeOf(shape);
    known.set(shape, size);
    return size;
  };
}

function createReads(labels: readonly FilterLabel[]): Readonly<Record<PlainField, Read>> {
  const names = new Map(labels.map(({ id, name }) => [id, name]));
  const size = createSizes();
  const turns = (shape: FilteredShape): boolean => shape.type === 'rectangle' || shape.type === 'ellipse';
  return {
    label: ({ labelId }) => names.get(labelId) ?? null,
    type: ({ type }) => type,
    shape: ({ shape }) => shape?.type ?? null,
    score: ({ shape }) => shape?.score ?? null,
    occluded: ({ shape }) => shape?.occluded ?? null,
    width: ({ shape }) => size(shape)?.width ?? null,
    height: ({ shape }) => size(shape)?.height ?? null,
    area: ({ shape }) => {
      const found = size(shape);
      return found === null ? null : found.width * found.height;
    },
    rotation: ({ shape }) => (shape !== null && turns(shape) ? shape.rotation : null),
    serverID: ({ serverId }) => serverId,
    source: ({ source }) => source,
    group: ({ group }) => (group === 0 ? null : group),
    frame: ({ frame }) => frame,
    z_order: ({ shape }) => shape?.zOrder ?? null,
  };
}

function attributeRead({ kind, attribute }: FilterField): Read {
  const specIds = new Set(attribute?.specIds);
  return ({ attributes }) => {
    const value = attributes.find(({ spec_id: id }) => specIds.has(id))?.value;
    if (value === undefined || value === '') return null;
    if (kind === 'boolean') return value.toLowerCase() === 'true';
    if (kind !== 'number') return value;
    const number = Number(value);
    return Number.isNaN(number) ? null : number;
  };
}

// A missing value has no order. json-logic-js would compare it as 0, and a text as a number.
const isBelow = (a: Found | undefined, b: Found | undefined): boolean =>
  typeof a === 'number' && typeof b === 'number' && a < b;
const isAtMost = (a: Found | undefined, b: Found | undefined): boolean =>
  typeof a === 'number' && typeof b === 'number' && a <= b;

function holds({ relation, values }: FilterRule, value: Found): boolean {
  const [first, second] = values;
  switch (relation) {
    case 'is':
      return value === first;
    case 'isNot':
      return value !== first;
    case 'anyOf':
      return value !== null && values.includes(value);
    case 'noneOf':
      return value === null || !values.includes(value);
    case 'below':
      return isBelow(value, first);
    case 'atMost':
      return isAtMost(value, first);
    case 'above':
      return isBelow(first, value);
    case 'atLeast':
      return isAtMost(first, value);
    case 'between':
      return isAtMost(first, value) && isAtMost(value, second);
    case 'contains':
      return typeof value === 'string' && value.includes(String(first));
    case 'containsNot':
      return typeof value !== 'string' || !value.includes(String(first));
    case 'isSet':
      return value !== null;
    case 'isNotSet':
      return value === null;
    case 'within':
      return false;
  }
}

/** Creates a test for objects. The filter must be read with fields of the same labels. */
export function createMatch(
  filter: FilterGroup,
  fields: ReadonlyMap<string, FilterField>,
  labels: readonly FilterLabel[],
): (object: FilterObject) => boolean {
  const reads: Readonly<Record<string, Read>> = createReads(labels);
  const readOf = (name: string): Read => {
    const field = fields.get(name);
    if (field?.attribute !== undefined) return attributeRead(field);
    return reads[name] ?? (() => null);
  };
  const matchOf = (condition: FilterCondition): ((object: FilterObject) => boolean) => {
    if (condition.kind === 'rule') {
      const read = readOf(condition.field);
      return (object) => holds(condition, read(object));
    }
    const inner = condition.of.map(matchOf);
    const isAll = condition.join === 'all' || condition.join === 'notAll';
    const isDenied = condition.join === 'none' || condition.join === 'notAll';
    return (object) => {
      const is = isAll ? inner.every((one) => one(object)) : inner.some((one) => one(object));
      return is !== isDenied;
    };
  };
  return matchOf(filter);
}

const sizes: ReadonlySet<string> = new Set<PlainField>(['width', 'height', 'area']);

/** True if a filter tests sizes. Only then are the points and elements of shapes needed. */
export const asksSize = (condition: FilterCondition): boolean =>
  condition.kind === 'rule' ? sizes.has(condition.field) : condition.of.some(asksSize);

/** Fields that have the same value on all frames of a track. */
const steady: ReadonlySet<string> = new Set<PlainField>(['label', 'type', 'serverID', 'source', 'group', 'score']);

/** True if a filter has the same result on all frames of a track. */
export const isSteady = (condition: FilterCondition): boolean =>
  condition.kind === 'rule' ? steady.has(condition.field) : condition.of.every(isSteady);
