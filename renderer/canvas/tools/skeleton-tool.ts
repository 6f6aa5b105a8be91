import { boxHeight, boxWidth } from '../geometry/box.ts';
import { roundCoordinate } from '../geometry/point.ts';
import type { Geometry } from '../shapes/behaviour.ts';
import type { Box, ElementRecord } from '../types.ts';
import { createBoxTool } from './box-tool.ts';
import type { ToolHost } from './tool-host.ts';
import type { Tool } from './tool.ts';

export function createSkeletonTool(host: ToolHost): Tool {
  const geometry = (box: Box): Geometry => {
    const elements = (host.options().skeleton ?? []).map(({ labelId, x, y }): ElementRecord => ({
      clientId: host.newId(),
      type: 'points',
      labelId,
      points: [box.left + x * boxWidth(box), box.top + y * boxHeight(box)].map(roundCoordinate),
      rotation: 0,
      occluded: false,
      outside: false,
      zOrder: 0,
      attributes: [],
    }));
    return { points: [], elements };
  };
  return createBoxTool(host, {
    id: 'skeleton',
    type: 'skeleton',
    geometry,
    problem: () => ((host.options().skeleton ?? []).length === 0 ? 'canvas.refused.noSkeleton' : null),
  });
}
