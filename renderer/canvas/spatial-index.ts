import Flatbush from 'flatbush';
import { boxesTouch, growBox, isEmptyBox } from './geometry/box.ts';
import { isDrawn, type EditableScene } from './scene.ts';
import { boundsOf } from './shapes/shape-behaviours.ts';
import type { Box, ClientId, SceneChange } from './types.ts';

/** So many changed shapes are searched one by one before the tree is built anew. */
const looseLimit = 512;

/** Which shapes that can be seen touch a box. Built at the first search after a change of frame. */
export function createSpatialIndex(scene: EditableScene) {
  const boxes = new Map<ClientId, Box>();
  /** Changed since the tree was built: in `boxes` as they are now, out of date in the tree. */
  const loose = new Set<ClientId>();
  let tree: Flatbush | null = null;
  let treeIds: ClientId[] = [];
  let isStale = true;

  const measure = (id: ClientId): void => {
    const record = scene.get(id);
    const box = isDrawn(record) ? boundsOf(record) : null;
    if (box === null || isEmptyBox(box)) boxes.delete(id);
    else boxes.set(id, box);
  };
  const follow = (change: SceneChange): void => {
    if (change.reset) {
      isStale = true;
      return;
    }
    if (isStale) return;
    for (const id of [...change.added, ...change.changed, ...change.removed]) {
      measure(id);
      loose.add(id);
    }
  };
  const build = (): void => {
    if (isStale) {
      boxes.clear();
      for (const record of scene.all()) measure(record.clientId);
    }
    treeIds = [...boxes.keys()];
    tree = treeIds.length === 0 ? null : new Flatbush(treeIds.length);
    for (const id of treeIds) {
      const box = boxes.get(id);
      if (box !== undefined) tree?.add(box.left, box.top, box.right, box.bottom);
    }
    tree?.finish();
    loose.clear();
    isStale = false;
  };
  const ready = (): void => {
    if (isStale || loose.size > looseLimit) build();
  };

  scene.subscribe(follow);
  return {
    search(box: Box): ClientId[] {
      ready();
      const found: ClientId[] = [];
      for (const place of tree?.search(box.left, box.top, box.right, box.bottom) ?? []) {
        const id = treeIds[place];
        if (id !== undefined && !loose.has(id)) found.push(id);
      }
      for (const id of loose) {
        const own = boxes.get(id);
        if (own !== undefined && boxesTouch(own, box)) found.push(id);
      }
      return found;
    },
    bounds(id: ClientId): Box | undefined {
      ready();
      return boxes.get(id);
    },
    /** Bounds of everything; empty box where there is nothing. */
    size(): number {
      ready();
      return boxes.size;
    },
  };
}

export type SpatialIndex = ReturnType<typeof createSpatialIndex>;

/** The square of `reach` around a point. */
export const reachBox = (x: number, y: number, reach: number): Box =>
  growBox({ left: x, top: y, right: x, bottom: y }, reach);
