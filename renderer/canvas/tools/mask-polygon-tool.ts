import { isPaintTool } from '../tool-kinds.ts';
import type { MaskDesk } from './mask-desk.ts';
import { createPathTool } from './path-tool.ts';
import type { ToolHost } from './tool-host.ts';
import type { Tool } from './tool.ts';

/** Adds a polygon to the mask being painted or removes one; each polygon is a stroke. */
export function createMaskPolygonTool(host: ToolHost, id: 'maskPlus' | 'maskMinus', desk: MaskDesk): Tool {
  const erases = id === 'maskMinus';
  const path = createPathTool(host, 'polygon', {
    id,
    take(points) {
      const session = desk.begin(host, erases);
      session?.polygon(points, erases ? 0 : 1);
      return session !== null;
    },
  });
  return {
    ...path,
    // An open polygon is no stroke.
    leave(next) {
      path.cancel();
      if (next !== null && isPaintTool(next)) return;
      desk.finish(host);
    },
    cancel: () => path.cancel() || desk.cancel(host),
    finish: () => (path.drawing() ? path.finish() : desk.finish(host)),
    undoPoint: () => path.undoPoint() || desk.takeBack(host),
    redoPoint: () => path.redoPoint() || desk.setAgain(host),
    halfDrawn: desk.halfDrawn,
    resume: (shape) => desk.resume(host, shape),
    fillHoles: () => desk.fillHoles(host),
    place: (box) => desk.placeBox(host, box, erases),
    drawing: () => path.drawing() || desk.session() !== null,
    view() {
      const view = desk.view(host);
      return { ...view, ...drawn(path), hint: path.drawing() ? 'canvas.hint.path' : view.hint };
    },
  };
}

const drawn = (path: Tool) => ({ drafts: path.view().drafts });
