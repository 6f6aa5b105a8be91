import type { shapeNames as texts } from '../en-shapes.ts';
import type { Translation } from './translation.ts';

export const shapeNames: Translation<typeof texts> = {
  rectangle: 'Rechteck',
  polygon: 'Polygon',
  polyline: 'Linienzug',
  points: 'Punkte',
  ellipse: 'Ellipse',
  cuboid: 'Quader',
  mask: 'Maske',
  skeleton: 'Skelett',
};
