import type { CocoAnnotation } from './coco-annotation.ts';
import { JsonCursor, UnclearText } from './json-cursor.ts';
import { byteOf } from '../../io/json-scan.ts';
import { createNumberScanner, notPlain, noUnits, startsNumber } from './number-scanner.ts';
import { DecimalPoints } from './decimal-points.ts';

const { quote, colon, openBracket, closeBracket, openBrace, closeBrace } = byteOf;

/** All members from the start: objects of one shape are read faster. */
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
  /** Members that no reader asks for. */
  others: Record<string, unknown> | undefined = undefined;
}

interface FieldReader {
  readonly name: string;
  /** In quotes. */
  readonly key: Buffer;
  /** A function for each field: a name that varies would make each assignment a search. */
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
/** Members of an annotation that are read. */
export const knownMembers: ReadonlySet<string> = new Set(Object.keys(setters));
const fields: readonly FieldReader[] = Object.entries(setters).map(([name, set]) => ({
  name,
  key: Buffer.from(`"${name}"`),
  set,
}));

/** Gives the elements of a list in brackets; undefined where `JSON.parse` has to read it. */
export type AnnotationDecoder = (bytes: Buffer) => DecodedAnnotation[] | undefined;

/** What becomes of a value: it may be a polygon of decimals; it is kept as it is; it is only checked. */
type ValueUse = 'polygon' | 'keep' | 'check';

/** Reads the values of the fields. Polygons that stand alone keep their decimals. */
function createValueReader(cursor: JsonCursor) {
  const scanner = createNumberScanner();
  // Lent to the polygons of a batch.
  let units = new Int32Array(64 * 1024);
  let used = 0;

  const scanned = (): boolean => {
    const behind = scanner.scan(cursor.bytes, cursor.at, cursor.bytes.length);
    if (behind === notPlain) return false;
    cursor.at = behind;
    return true;
  };

  /** What was scanned, if that is the only list of a list: in the form that the store takes. */
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

  /** Lists of numbers, from the bracket of the first one on; undefined for anything else. */
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
    /** The units of the batch before are free from here on. */
    start(bytes: number): void {
      used = 0;
      // A number takes four bytes or more, with its comma; polygons for which there is no room become lists.
      if (units.length < bytes >> 2) units = new Int32Array(bytes >> 2);
    },
    value: (use: ValueUse): unknown => (cursor.byte === openBracket ? list(use) : (cursor.number() ?? cursor.parsed())),
  };
}

/**
 * Reads lists of annotations from their bytes. What it gives has the fields of {@link CocoAnnotation} exactly as
 * `JSON.parse` gives them, and the other members apart; but a polygon that stands alone is {@link DecimalPoints}, and has no box
 * beside it. It takes two thirds of the time of `JSON.parse`, and the numbers need
 * not go through doubles.
 */
export function createAnnotationDecoder(): AnnotationDecoder {
  const cursor = new JsonCursor();
  const values = createValueReader(cursor);
  const usualFields: FieldReader[] = [];

  /** Objects of a file mostly have the same members in the same order. */
  const fieldHere = (position: number): FieldReader | undefined => {
    const usual = usualFields[position];
    if (usual && cursor.passKey(usual.key)) return usual;
    const found = fields.find(({ key }) => cursor.passKey(key));
    if (found) usualFields[position] = found;
    return found;
  };

  const useOf = ({ name }: FieldReader, { segmentation }: DecodedAnnotation): ValueUse => {
    const isDecimal = segmentation instanceof DecimalPoints;
    // A second one could need the box that was dropped.
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
    // Written with an escape it is one of the fields after all.
    const escaped = fields.find((one) => one.name === name);
    if (escaped) escaped.set(item, value);
    // Without a prototype, for a member may have any name.
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
