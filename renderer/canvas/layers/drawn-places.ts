import { emptyBox, uniteBoxes } from '../geometry/box.ts';
import type { EditableScene } from '../scene.ts';
import type { SpatialIndex } from '../spatial-index.ts';
import type { Box, ClientId } from '../types.ts';

/** Where each shape is drawn now: when it changes, its old place has to be cleared too. */
export function createDrawnPlaces(scene: EditableScene, index: SpatialIndex) {
  const places = new Map<ClientId, Box>();
  let dirty: Box = emptyBox;
  return {
    /** Everything has just been drawn. */
    reset() {
      dirty = emptyBox;
      places.clear();
      for (const { clientId } of scene.all()) {
        const bounds = index.bounds(clientId);
        if (bounds !== undefined) places.set(clientId, bounds);
      }
    },
    touch(id: ClientId) {
      const before = places.get(id);
      const now = index.bounds(id);
      if (before !== undefined) dirty = uniteBoxes(dirty, before);
      if (now !== undefined) dirty = uniteBoxes(dirty, now);
      if (now === undefined) places.delete(id);
      else places.set(id, now);
    },
    /** What has to be drawn again, image coordinates; an empty box: nothing. */
    take(): Box {
      const taken = dirty;
      dirty = emptyBox;
      return taken;
    },
  };
}
