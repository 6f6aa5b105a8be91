import { isPaintTool } from '../tool-kinds.ts';
import type { MaskController } from './mask-controller.ts';
import { createPathTool } from './path-tool.ts';
import type { ToolHost } from './tool-host.ts';
import type { Tool } from './tool.ts';

/** Adds a polygon to the mask being painted or removes one; each polygon is a stroke. */
export function createMaskPolygonTool(host: ToolHost, id: 'maskPlus' | 'maskMinus', controller: MaskController): Tool {
  const erases = id === 'maskMinus';
  const path = createPathTool(host, 'polygon', {
    id,
    take(points) {
      const session = controller.begin(host, erases);
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
      controller.finish(host);
    },
    cancel: () => path.cancel() || controller.cancel(host),
    finish: () => (path.drawing() ? path.finish() : controller.finish(host)),
    undoPoint: () => path.undoPoint() || controller.takeBack(host),
    redoPoint: () => path.redoPoint() || controller.setAgain(host),
    draft: controller.draft,
    resume: (shape) => controller.resume(host, shape),
    fillHoles: () => controller.fillHoles(host),
    place: (box) => controller.placeBox(host, box, erases),
    drawing: () => path.drawing() || controller.session() !== null,
    view() {
      const view = controller.view(host);
      return { ...view, ...drawn(path), hint: path.drawing() ? 'canvas.hint.path' : view.hint };
    },
  };
}

const drawn = (path: Tool) => ({ drafts: path.view().drafts });
