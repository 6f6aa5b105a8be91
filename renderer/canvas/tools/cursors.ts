import type { Handle } from '../shapes/behaviour.ts';
import type { ViewRotation } from '../types.ts';

const resizeCursors = ['ns-resize', 'nesw-resize', 'ew-resize', 'nwse-resize'] as const;

/** Resize arrows follow the shape's rotation and the view's. */
export function cursorOfHandle(handle: Handle, rotation: ViewRotation, isHeld: boolean): string {
  if (handle.kind === 'rotate') return isHeld ? 'grabbing' : 'grab';
  if (handle.kind === 'middle') return 'copy';
  if (handle.kind === 'move') return 'move';
  if (handle.kind === 'vertex') return 'pointer';
  const direction = Math.round(((handle.degrees + rotation) % 180) / 45) % 4;
  return resizeCursors[direction] ?? 'move';
}
