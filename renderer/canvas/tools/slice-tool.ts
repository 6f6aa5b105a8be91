import { slicedMask, slicedPolygon } from '../geometry/slice.ts';
import type { RecordChange, ShapeRecord } from '../types.ts';
import { createPathTool } from './path-tool.ts';
import type { ToolHost } from './tool-host.ts';
import type { Tool } from './tool.ts';

/** Selected polygons and masks of this frame alone, which nothing keeps from being cut. */
const cuttable = ({ selection, scene }: ToolHost): ShapeRecord[] =>
  selection.ids().flatMap((id) => {
    const shape = scene.getShape(id);
    const isArea = shape?.type === 'polygon' || shape?.type === 'mask';
    return isArea && !shape.locked && shape.trackId === undefined ? [shape] : [];
  });

/** Each part is a new object with all that the whole one had. */
function sliced(host: ToolHost, shape: ShapeRecord, line: readonly number[]): RecordChange[] {
  const cut = shape.type === 'mask' ? slicedMask : slicedPolygon;
  const parts = cut(shape.points, line);
  if (parts.length < 2) return [];
  const { serverId: _server, ...rest } = shape;
  return [
    { clientId: shape.clientId, before: shape, after: null },
    ...parts.map((points): RecordChange => {
      const clientId = host.newId();
      return { clientId, before: null, after: { ...rest, clientId, points } };
    }),
  ];
}

/** Cuts the selected polygons and masks along a line; one step of the undo. */
export function createSliceTool(host: ToolHost): Tool {
  const path = createPathTool(host, 'polyline', {
    id: 'slice',
    take(line) {
      const shapes = cuttable(host);
      const changes = shapes.flatMap((shape) => sliced(host, shape, line));
      if (changes.length === 0) {
        host.refuse(shapes.length === 0 ? 'canvas.refused.nothingToSlice' : 'canvas.refused.notThrough');
        return false;
      }
      host.commit({ kind: 'other', changes });
      host.selection.set(changes.flatMap(({ after }) => after?.clientId ?? []));
      return true;
    },
  });
  return {
    ...path,
    down(input) {
      if (input.button === 0 && !path.drawing() && cuttable(host).length === 0) {
        host.refuse('canvas.refused.nothingToSlice');
        return;
      }
      path.down(input);
    },
    view: () => ({ ...path.view(), hint: 'canvas.hint.slice' }),
  };
}
