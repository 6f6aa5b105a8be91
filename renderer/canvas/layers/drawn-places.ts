import { emptyBox, uniteBoxes } from '../geometry/box.ts';
import type { SpatialIndex } from '../spatial-index.ts';
import type { Box, ClientId } from '../types.ts';

/** Where something was drawn that is not so any more: when a shape changes, its old place has to be cleared too. */
export function createDrawnPlaces(index: SpatialIndex) {
  let dirty: Box = emptyBox;
  return {
    /** Everything is drawn as it is. */
    reset() {
      dirty = emptyBox;
    },
    /** After each change of a shape, and after it was shown or hidden. */
    touch(id: ClientId) {
      for (const box of [index.boundsBefore(id), index.bounds(id)]) {
        if (box !== undefined) dirty = uniteBoxes(dirty, box);
      }
    },
    /** What has to be drawn again, image coordinates; an empty box: nothing. */
    take(): Box {
      const taken = dirty;
      dirty = emptyBox;
      return taken;
    },
  };
}
