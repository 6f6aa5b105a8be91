import type { ShapeBehaviour } from './behaviour.ts';
import { vertexPath } from './vertex-path.ts';

export const polyline: ShapeBehaviour = vertexPath(false);
