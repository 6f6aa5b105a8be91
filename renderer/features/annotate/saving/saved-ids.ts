import type { CanvasEngine } from '../../../canvas/canvas-engine.ts';
import { stopAll } from '../../../canvas/emitter.ts';
import type { SaveQueue } from './save-queue.ts';

interface SavedIdsParts {
  readonly engine: Pick<CanvasEngine, 'scene' | 'patchScene'>;
  readonly queue: Pick<SaveQueue, 'serverIdOf' | 'subscribe'>;
}

/** An object made here gets its number as soon as the service has one: lists, timeline and picture show the same. */
export function showSavedIds({ engine, queue }: SavedIdsParts): () => void {
  const { scene, patchScene } = engine;
  const show = (): void => {
    const saved = scene.all().flatMap((record) => {
      // An object that was deleted and restored is another one for the service.
      const serverId = queue.serverIdOf(record.clientId) ?? record.serverId;
      return serverId === undefined || serverId === record.serverId ? [] : [{ ...record, serverId }];
    });
    if (saved.length > 0) patchScene(saved);
  };
  const stops = [queue.subscribe(show), scene.subscribe(({ reset }) => reset && show())];
  return () => stopAll(stops);
}
