import { added, changed, removed } from '../changes.ts';
import type { TextKey } from '../../i18n/text-key.ts';
import { withHole } from '../geometry/keyhole.ts';
import { slicedMask, slicedPolygon } from '../geometry/slice.ts';
import { withGeometry } from '../shapes/shape-behaviours.ts';
import type { CommandKind, RecordChange, ShapeRecord, ShapeType } from '../types.ts';
import { createPathTool } from './path-tool.ts';
import type { ToolHost } from './tool-host.ts';
import type { Tool } from './tool.ts';

interface CutKind {
  readonly id: 'slice' | 'hole';
  readonly path: 'polyline' | 'polygon';
  readonly tooFew?: TextKey;
  readonly types: readonly ShapeType[];
  readonly kind: CommandKind;
  readonly nothing: TextKey;
  /** Result for one shape, or the reason why it is unchanged. */
  cut(shape: ShapeRecord, line: readonly number[]): readonly RecordChange[] | TextKey;
}

/** Cuts the selected shapes along a line, on this frame only, as one undo step. Skips shapes that cannot be cut. */
function createCutTool(host: ToolHost, { id, path: line, tooFew, types, kind, nothing, cut }: CutKind): Tool {
  const cuttable = (): ShapeRecord[] =>
    host.selection.ids().flatMap((selected) => {
      const shape = host.scene.getShape(selected);
      const isCut = shape !== undefined && types.includes(shape.type) && !shape.locked && shape.trackId === undefined;
      return isCut ? [shape] : [];
    });
  const path = createPathTool(host, line, {
    id,
    ...(tooFew === undefined ? {} : { tooFew }),
    take(points) {
      let why = nothing;
      const changes = cuttable().flatMap((shape) => {
        const done = cut(shape, points);
        if (typeof done !== 'string') return done;
        why = done;
        return [];
      });
      if (changes.length === 0) {
        host.refuse(why);
        return false;
      }
      host.commit({ kind, changes });
      const made = changes.filter(({ before }) => before === null);
      if (made.length > 0) host.selection.set(made.map(({ clientId }) => clientId));
      return true;
    },
  });
  return {
    ...path,
    down(input) {
      if (input.button === 0 && !path.drawing() && cuttable().length === 0) host.refuse(nothing);
      else path.down(input);
    },
    view: () => ({ ...path.view(), hint: `canvas.hint.${id}` }),
  };
}

/** Each part of a polygon or mask becomes an object with all properties of the original. */
export const createSliceTool = (host: ToolHost): Tool =>
  createCutTool(host, {
    id: 'slice',
    path: 'polyline',
    types: ['polygon', 'mask'],
    kind: 'other',
    nothing: 'canvas.refused.nothingToSlice',
    cut(shape, line) {
      const parts = (shape.type === 'mask' ? slicedMask : slicedPolygon)(shape.points, line);
      if (parts.length < 2) return 'canvas.refused.notThrough';
      const { serverId: _server, ...rest } = shape;
      return [removed(shape), ...parts.map((points) => added({ ...rest, clientId: host.newId(), points }))];
    },
  });

export const createHoleTool = (host: ToolHost): Tool =>
  createCutTool(host, {
    id: 'hole',
    path: 'polygon',
    tooFew: 'canvas.refused.hole.noArea',
    types: ['polygon'],
    kind: 'vertex',
    nothing: 'canvas.refused.hole.noPolygon',
    cut(before, hole) {
      const cut = withHole(before.points, hole);
      if ('problem' in cut) return `canvas.refused.hole.${cut.problem}`;
      return [changed(before, withGeometry(before, cut))];
    },
  });
