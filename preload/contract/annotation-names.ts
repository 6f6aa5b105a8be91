/**
 * The words of the annotation model apart from its schemas: the threads that import and export need them, and not the
 * schema library, which would take 10 MB of each. The lists only ever grow at the end: stores hold their indices.
 */
export const shapeTypes = [
  'rectangle',
  'polygon',
  'polyline',
  'points',
  'ellipse',
  'cuboid',
  'mask',
  'skeleton',
] as const;
export type ShapeType = (typeof shapeTypes)[number];

export const annotationSources = ['manual', 'auto', 'semi-auto', 'file', 'consensus'] as const;
export type AnnotationSource = (typeof annotationSources)[number];
