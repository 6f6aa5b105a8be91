import type { KeyboardEvent } from 'react';
import type { CanvasEngine } from '../../../../canvas/canvas-engine.ts';
import type { ClientId, SceneRecord } from '../../../../canvas/types.ts';

const pageRows = 10;

const moves: Readonly<Record<string, (from: number, last: number) => number>> = {
  ArrowDown: (from) => from + 1,
  ArrowUp: (from) => (from < 0 ? Infinity : from - 1),
  PageDown: (from) => from + pageRows,
  PageUp: (from) => from - pageRows,
  Home: () => 0,
  End: (_from, last) => last,
};

/**
 * Keys of the object list while it has the focus: arrows select, Shift extends, Enter shows the object.
 * @returns true if the key was handled
 */
export function listKey(
  {
    key,
    shiftKey,
    ctrlKey,
    metaKey,
    altKey,
  }: Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey'>,
  records: readonly SceneRecord[],
  { selection, focusShape }: Pick<CanvasEngine, 'selection' | 'focusShape'>,
): boolean {
  if (ctrlKey || metaKey || altKey || records.length === 0) return false;
  const ids = selection.ids();
  const primary: ClientId | undefined = ids.at(-1);
  if (key === 'Enter' && primary !== undefined) {
    focusShape(primary, { zoom: true });
    return true;
  }
  const move = moves[key];
  if (move === undefined) return false;
  const from = records.findIndex(({ clientId }) => clientId === primary);
  const last = records.length - 1;
  const next = records[Math.max(0, Math.min(last, move(from, last)))]?.clientId;
  if (next === undefined) return false;
  selection.set(shiftKey ? [...ids.filter((id) => id !== next), next] : [next]);
  return true;
}
