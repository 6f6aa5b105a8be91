import type { ShapeBehaviour } from './behaviour.ts';
import { vertexPath } from './vertex-path.ts';

export const polygon: ShapeBehaviour = vertexPath(true);
