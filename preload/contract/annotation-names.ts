/** Maximum length of a label's or attribute's name, as in CVAT. */
export const longestName = 64;

/**
 * Terms of the annotation model, separate from its schemas because the threads that import and export need no schema
 * library, which would take 10 MB each. Append to the lists only: stores save their indices.
 */
interface ShapeKind {
  /** Exact number of values in `points`. */
  readonly exactly?: number;
  /** Minimum number of values in `points` if it varies; pairs of coordinates except for a mask. */
  readonly least?: number;
  /** True if its rotation is used: degrees, clockwise on screen, about the centre. */
  readonly rotates?: true;
}

/**
 * Shape types and their points:
 *
 * | rectangle | x1, y1, x2, y2                                                                             |
 * | polygon   | at least 3 pairs, closed implicitly                                                        |
 * | polyline  | at least 2 pairs                                                                           |
 * | points    | at least 1 pair                                                                            |
 * | ellipse   | centre x, centre y, right x, top y                                                         |
 * | cuboid    | 8 pairs: front TL BL TR BR, back TL BL TR BR                                               |
 * | mask      | run lengths (row-major in the box, zeros first), then left, top, right, bottom (inclusive) |
 * | skeleton  | none; its elements have the points                                                         |
 */
const kinds = {
  rectangle: { exactly: 4, rotates: true },
  polygon: { least: 6 },
  polyline: { least: 4 },
  points: { least: 2 },
  ellipse: { exactly: 4, rotates: true },
  cuboid: { exactly: 16 },
  mask: { least: 5 },
  skeleton: { exactly: 0 },
} as const satisfies Record<string, ShapeKind>;

export type ShapeType = keyof typeof kinds;

export const shapeKinds: Readonly<Record<ShapeType, ShapeKind>> = kinds;

// The table's keys are the types.
export const shapeTypes = Object.keys(kinds) as ShapeType[];

export function takesNumbers(type: ShapeType, count: number): boolean {
  const { exactly, least = 0 } = shapeKinds[type];
  if (exactly !== undefined) return count === exactly;
  return count >= least && (type === 'mask' || count % 2 === 0);
}

export const annotationSources = ['manual', 'auto', 'semi-auto', 'file', 'consensus'] as const;
export type AnnotationSource = (typeof annotationSources)[number];
