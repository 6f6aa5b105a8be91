import type { TextKey } from '../../i18n/text-key.ts';
import { withHole } from '../geometry/keyhole.ts';
import { withGeometry } from '../shapes/shape-behaviours.ts';
import type { RecordChange, ShapeRecord } from '../types.ts';
import { createPathTool } from './path-tool.ts';
import type { ToolHost } from './tool-host.ts';
import type { Tool } from './tool.ts';

/** Selected polygons of this frame alone, which nothing keeps from being changed. */
const polygons = ({ selection, scene }: ToolHost): ShapeRecord[] =>
  selection.ids().flatMap((id) => {
    const shape = scene.getShape(id);
    return shape?.type === 'polygon' && !shape.locked && shape.trackId === undefined ? [shape] : [];
  });

/** Cuts a hole into the selected polygons that it lies in; one step of the undo. */
export function createHoleTool(host: ToolHost): Tool {
  const path = createPathTool(host, 'polygon', {
    id: 'hole',
    tooFew: 'canvas.refused.hole.noArea',
    take(hole) {
      let why: TextKey = 'canvas.refused.hole.noPolygon';
      const changes = polygons(host).flatMap((before): RecordChange[] => {
        const cut = withHole(before.points, hole);
        if ('points' in cut) return [{ clientId: before.clientId, before, after: withGeometry(before, cut) }];
        why = `canvas.refused.hole.${cut.problem}`;
        return [];
      });
      if (changes.length === 0) {
        host.refuse(why);
        return false;
      }
      host.commit({ kind: 'vertex', changes });
      return true;
    },
  });
  return {
    ...path,
    down(input) {
      if (input.button === 0 && !path.drawing() && polygons(host).length === 0) {
        host.refuse('canvas.refused.hole.noPolygon');
        return;
      }
      path.down(input);
    },
    view: () => ({ ...path.view(), hint: 'canvas.hint.hole' }),
  };
}
