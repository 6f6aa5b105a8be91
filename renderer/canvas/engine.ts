import type { CanvasEngine, EngineOptions } from './types.ts';

/** Makes a canvas engine inside `options.host`. See `types.ts` for how a screen uses it. */
export function createEngine(options: EngineOptions): CanvasEngine {
  throw new Error(`The engine is being written (${options.host.tagName}).`);
}
