import {
  IconBrush,
  IconCircle,
  IconCube,
  IconLine,
  IconPoint,
  IconPolygon,
  IconRectangle,
  IconTag,
  IconVectorBezier2,
  type Icon,
} from '@tabler/icons-react';
import type { ShapeType } from '../../../canvas/types.ts';

export const shapeIcons: Readonly<Record<ShapeType | 'tag', Icon>> = {
  rectangle: IconRectangle,
  polygon: IconPolygon,
  polyline: IconLine,
  points: IconPoint,
  ellipse: IconCircle,
  cuboid: IconCube,
  mask: IconBrush,
  skeleton: IconVectorBezier2,
  tag: IconTag,
};
