import Flatbush from 'flatbush';
import { boxesTouch, growBox, isEmptyBox } from './geometry/box.ts';
import { isDrawn, type EditableScene } from './scene.ts';
import { boundsOf } from './shapes/shape-behaviours.ts';
import type { Box, ClientId, SceneChange, SceneRecord } from './types.ts';

/** Number of changed shapes that are searched one by one before the tree is rebuilt. */
const looseLimit = 512;
/** Records measured between two checks of the clock. */
const measuredAtOnce = 1000;

/** Finds visible shapes that touch a box. Built at the first search after a change of frame. */
export function createSpatialIndex(scene: EditableScene) {
  const boxes = new Map<ClientId, Box>();
  /** Changed since the tree was built: current in `boxes`, outdated in the tree. */
  const loose = new Set<ClientId>();
  let tree: Flatbush | null = null;
  let treeIds: ClientId[] = [];
  let isStale = true;
  /** Progress of the measuring; null if not begun. */
  let measuring: { readonly records: readonly SceneRecord[]; done: number } | null = null;
  /** Bounds of changed records before the last change. */
  const before = new Map<ClientId, Box>();

  const measure = (id: ClientId): void => {
    const record = scene.get(id);
    const box = isDrawn(record) ? boundsOf(record) : null;
    if (box === null || isEmptyBox(box)) boxes.delete(id);
    else boxes.set(id, box);
  };
  const follow = (change: SceneChange): void => {
    before.clear();
    measuring = null;
    if (change.reset) isStale = true;
    if (isStale) return;
    for (const id of [...change.added, ...change.changed, ...change.removed]) {
      const box = boxes.get(id);
      if (box !== undefined) before.set(id, box);
      measure(id);
      loose.add(id);
    }
  };
  /** Measures all records or as many as the time allows. False if there are more. */
  const measureAll = (forMs = Infinity): boolean => {
    if (measuring === null) boxes.clear();
    measuring ??= { records: scene.all(), done: 0 };
    const { records } = measuring;
    const end = performance.now() + forMs;
    while (measuring.done < records.length && performance.now() < end) {
      const piece = records.slice(measuring.done, measuring.done + measuredAtOnce);
      for (const { clientId } of piece) measure(clientId);
      measuring.done += piece.length;
    }
    return measuring.done >= records.length;
  };
  const build = (): void => {
    if (isStale) measureAll();
    measuring = null;
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
    /** Does a part of the first search's work. False if there is more. */
    prepare(forMs: number): boolean {
      if (!isStale) return true;
      const isMeasured = measuring !== null && measuring.done >= measuring.records.length;
      if (isMeasured) build();
      else measureAll(forMs);
      return isMeasured;
    },
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
    /** Bounds before the last change, if it affected the record and the record was visible. */
    boundsBefore: (id: ClientId): Box | undefined => before.get(id),
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
