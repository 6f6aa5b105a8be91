import type { CanvasEngine } from '../../../../canvas/canvas-engine.ts';
import { stopAll } from '../../../../canvas/emitter.ts';
import type { SaveQueue } from './save-queue.ts';

interface SavedIdsParts {
  readonly engine: Pick<CanvasEngine, 'scene' | 'patchScene'>;
  readonly queue: Pick<SaveQueue, 'serverIdOf' | 'subscribe'>;
}

/** Shows the server id of a new object as soon as it is known in lists, timeline and canvas. */
export function showSavedIds({ engine, queue }: SavedIdsParts): () => void {
  const { scene, patchScene } = engine;
  const show = (): void => {
    const saved = scene.all().flatMap((record) => {
      // A deleted and restored object has a new server id.
      const serverId = queue.serverIdOf(record.clientId) ?? record.serverId;
      return serverId === undefined || serverId === record.serverId ? [] : [{ ...record, serverId }];
    });
    if (saved.length > 0) patchScene(saved);
  };
  const stops = [queue.subscribe(show), scene.subscribe(({ reset }) => reset && show())];
  return () => stopAll(stops);
}
