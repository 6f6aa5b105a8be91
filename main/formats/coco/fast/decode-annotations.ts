import type { CocoAnnotation } from './coco-annotation.ts';
import { JsonCursor, UnclearText } from './json-cursor.ts';
import { byteOf } from '../../io/json-scan.ts';
import { createNumberScanner, notPlain, noUnits, startsNumber } from './number-scanner.ts';
import { DecimalPoints } from './decimal-points.ts';

const { quote, colon, openBracket, closeBracket, openBrace, closeBrace } = byteOf;

/** All members are initialized, because V8 reads objects with one hidden class faster. */
export class DecodedAnnotation implements CocoAnnotation {
  id: unknown = undefined;
  image_id: unknown = undefined;
  category_id: unknown = undefined;
  segmentation: unknown = undefined;
  bbox: unknown = undefined;
  area: unknown = undefined;
  iscrowd: unknown = undefined;
  score: unknown = undefined;
  attributes: unknown = undefined;
  keypoints: unknown = undefined;
  num_keypoints: unknown = undefined;
  /** Members that no reader uses. */
  others: Record<string, unknown> | undefined = undefined;
}

interface FieldReader {
  readonly name: string;
  /** Includes the quotes. */
  readonly key: Buffer;
  /** One setter per field: a dynamic property name would make each assignment a lookup. */
  readonly set: (item: DecodedAnnotation, value: unknown) => void;
}

const setters: { readonly [Name in keyof Required<CocoAnnotation>]: FieldReader['set'] } = {
  id: (item, value) => (item.id = value),
  image_id: (item, value) => (item.image_id = value),
  category_id: (item, value) => (item.category_id = value),
  segmentation: (item, value) => (item.segmentation = value),
  bbox: (item, value) => (item.bbox = value),
  area: (item, value) => (item.area = value),
  iscrowd: (item, value) => (item.iscrowd = value),
  score: (item, value) => (item.score = value),
  attributes: (item, value) => (item.attributes = value),
  keypoints: (item, value) => (item.keypoints = value),
  num_keypoints: (item, value) => (item.num_keypoints = value),
};
export const knownMembers: ReadonlySet<string> = new Set(Object.keys(setters));
const fields: readonly FieldReader[] = Object.entries(setters).map(([name, set]) => ({
  name,
  key: Buffer.from(`"${name}"`),
  set,
}));

/** Decodes the elements of a JSON list, brackets included; undefined if `JSON.parse` has to read it. */
export type AnnotationDecoder = (bytes: Buffer) => DecodedAnnotation[] | undefined;

/** Use of a value: a polygon that may stay decimal, a value to keep, or a value to validate only. */
type ValueUse = 'polygon' | 'keep' | 'check';

/** Reads the values of fields. A single polygon stays decimal. */
function createValueReader(cursor: JsonCursor) {
  const scanner = createNumberScanner();
  // Shared with the polygons of a batch.
  let units = new Int32Array(64 * 1024);
  let used = 0;

  const scanned = (): boolean => {
    const behind = scanner.scan(cursor.bytes, cursor.at, cursor.bytes.length);
    if (behind === notPlain) return false;
    cursor.at = behind;
    return true;
  };

  /** The scanned numbers in the form of the store, if they are the only inner list. */
  const onlyPolygon = (): DecimalPoints | undefined => {
    const { count } = scanner;
    if (cursor.byte !== closeBracket || count < 6 || count % 2 !== 0) return undefined;
    if (used + count > units.length) return undefined;
    const exponent = scanner.units(units, used);
    if (exponent === noUnits) return undefined;
    cursor.skip(1);
    used += count;
    return new DecimalPoints(units, used - count, count, exponent);
  };

  /** Reads lists of numbers from the bracket of the first one; undefined for anything else. */
  const lists = (use: ValueUse): DecimalPoints | number[][] | undefined => {
    const found: number[][] = [];
    do {
      if (cursor.byte !== openBracket) return undefined;
      cursor.skip(1);
      if (!scanned()) return undefined;
      cursor.skip(0);
      const only = use === 'polygon' && found.length === 0 ? onlyPolygon() : undefined;
      if (only) return only;
      found.push(scanner.numbers());
    } while (cursor.goesOn(closeBracket));
    return found;
  };

  const list = (use: ValueUse): unknown => {
    const from = cursor.at;
    cursor.skip(1);
    if (startsNumber(cursor.byte) && scanned()) return use === 'check' ? undefined : scanner.numbers();
    const found = cursor.byte === openBracket ? lists(use) : undefined;
    if (found) return found;
    cursor.at = from;
    return cursor.parsed();
  };

  return {
    /** Starts a batch and reuses the units of the last one. */
    start(bytes: number): void {
      used = 0;
      // A number takes at least four bytes with its comma. Polygons that do not fit become lists.
      if (units.length < bytes >> 2) units = new Int32Array(bytes >> 2);
    },
    value: (use: ValueUse): unknown => (cursor.byte === openBracket ? list(use) : (cursor.number() ?? cursor.parsed())),
  };
}

/**
 * Creates a decoder for lists of annotations. The fields of {@link CocoAnnotation} are equal to those of `JSON.parse`,
 * and other members are kept separately. Exception: a single polygon is a {@link DecimalPoints} and has no box.
 * Decoding takes two thirds of the time of `JSON.parse`, and coordinates need no conversion to doubles.
 */
export function createAnnotationDecoder(): AnnotationDecoder {
  const cursor = new JsonCursor();
  const values = createValueReader(cursor);
  const usualFields: FieldReader[] = [];

  /** Tries the field at the same position first: most objects have the same members in the same order. */
  const fieldHere = (position: number): FieldReader | undefined => {
    const usual = usualFields[position];
    if (usual && cursor.passKey(usual.key)) return usual;
    const found = fields.find(({ key }) => cursor.passKey(key));
    if (found) usualFields[position] = found;
    return found;
  };

  const useOf = ({ name }: FieldReader, { segmentation }: DecodedAnnotation): ValueUse => {
    const isDecimal = segmentation instanceof DecimalPoints;
    // A second segmentation could need the box that was dropped.
    if (name === 'segmentation' && isDecimal) throw new UnclearText();
    if (name === 'segmentation') return 'polygon';
    return name === 'bbox' && isDecimal ? 'check' : 'keep';
  };

  const member = (item: DecodedAnnotation, position: number): void => {
    if (cursor.byte !== quote) throw new UnclearText();
    const field = fieldHere(position);
    if (field) {
      field.set(item, values.value(useOf(field, item)));
      return;
    }
    const name = String(cursor.parsed());
    cursor.skip(0);
    cursor.expect(colon);
    const value = cursor.parsed();
    // A name with escapes can still be one of the fields.
    const escaped = fields.find((one) => one.name === name);
    if (escaped) escaped.set(item, value);
    // Has no prototype, because a member can have any name.
    else (item.others ??= Object.create(null) as Record<string, unknown>)[name] = value;
  };

  const annotation = (): DecodedAnnotation => {
    const item = new DecodedAnnotation();
    cursor.expect(openBrace);
    if (cursor.byte === closeBrace) {
      cursor.skip(1);
      return item;
    }
    let position = 0;
    do {
      member(item, position);
      position += 1;
    } while (cursor.goesOn(closeBrace));
    return item;
  };

  return (bytes) => {
    cursor.start(bytes);
    values.start(bytes.length);
    try {
      const items: DecodedAnnotation[] = [];
      cursor.expect(openBracket);
      do items.push(annotation());
      while (cursor.goesOn(closeBracket));
      return cursor.isAtEnd ? items : undefined;
    } catch (error) {
      if (error instanceof UnclearText || error instanceof SyntaxError) return undefined;
      throw error;
    }
  };
}
