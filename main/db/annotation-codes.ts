import {
  annotationSources,
  shapeTypes,
  type AnnotationSource,
  type ShapeType,
} from '../../preload/contract/annotation-names.ts';

/** Stored as the index in the contract's lists, which may only grow at the end. */
const typeCodes = new Map<ShapeType, number>(shapeTypes.map((type, index) => [type, index]));
const sourceCodes = new Map<AnnotationSource, number>(annotationSources.map((source, index) => [source, index]));

export const typeCode = (type: ShapeType): number => typeCodes.get(type) ?? 0;
export const typeOf = (code: number): ShapeType => shapeTypes[code] ?? 'rectangle';
export const sourceCode = (source: AnnotationSource): number => sourceCodes.get(source) ?? 0;
export const sourceOf = (code: number): AnnotationSource => annotationSources[code] ?? 'manual';
