import type { CanvasEngine } from '../../canvas/canvas-engine.ts';
import { rectangleMethods } from '../../canvas/tool-kinds.ts';

const key = 'limner.rectangleMethod';

/** The way in which rectangles are drawn is the one that was chosen last. Returns what stops remembering. */
export function keepRectangleMethod(engine: CanvasEngine): () => void {
  const stored = globalThis.localStorage?.getItem(key);
  const rectangleMethod = rectangleMethods.find((method) => method === stored);
  if (rectangleMethod !== undefined) {
    const before = engine.getTool().id;
    engine.setTool('rectangle', { rectangleMethod });
    engine.setTool(before);
  }
  return engine.on('toolChange', (tool, options) => {
    if (tool !== 'rectangle' || options.rectangleMethod === undefined) return;
    try {
      localStorage.setItem(key, options.rectangleMethod);
    } catch {
      // A full store costs the choice, nothing else.
    }
  });
}
