import type { Handle } from '../shapes/behaviour.ts';
import { behaviourOf } from '../shapes/shape-behaviours.ts';
import { insertAt } from '../shapes/vertex-path.ts';
import type { ClientId } from '../types.ts';
import { commitDrafts, commitGeometry, handledShape, kindOfHandle, removeVertex } from './select-edits.ts';
import type { ToolHost } from './tool-host.ts';
import type { KeyPoint } from './tool.ts';

export function createKeyPoint(host: ToolHost): KeyPoint {
  let led: { readonly clientId: ClientId; readonly handle: string } | null = null;

  const handles = (): Handle[] =>
    host.selected
      .handles()
      .filter(({ kind }) => kind !== 'middle' && kind !== 'move')
      .toSorted((a, b) => Number(b.kind === 'vertex') - Number(a.kind === 'vertex'));
  const current = (): Handle | null => {
    if (led === null || handledShape(host)?.clientId !== led.clientId) return null;
    return handles().find(({ id }) => id === led?.handle) ?? null;
  };
  const lead = (handle: Handle | null): void => {
    const shape = handledShape(host);
    led = handle === null || shape === null ? null : { clientId: shape.clientId, handle: handle.id };
    if (led !== null && handle !== null) host.show(handle);
    host.refresh('active');
    host.refresh('overlay');
    host.keyPointChanged();
  };

  return {
    current,
    step(by) {
      const all = handles();
      const now = all.findIndex(({ id }) => id === current()?.id);
      lead(all[now < 0 ? (by > 0 ? 0 : all.length - 1) : (now + by + all.length) % all.length] ?? null);
    },
    choose: (index) => lead(handles().find((handle) => handle.kind === 'vertex' && handle.index === index) ?? null),
    move(deltaX, deltaY) {
      const handle = current();
      const pulled = handle === null ? null : host.selected.begin(handle, handle, host.imageSize());
      if (handle === null || pulled === null) return null;
      const moved = pulled.to({ x: handle.x + deltaX, y: handle.y + deltaY }, false);
      pulled.end();
      const drafts = moved.map((shape) => ({ shape, state: 'editing' as const }));
      const command = commitDrafts(host, drafts, kindOfHandle(handle), `point ${handle.id}`);
      lead(current());
      return command;
    },
    remove() {
      const [handle, shape] = [current(), handledShape(host)];
      if (handle === null || shape === null) return false;
      if (handle.kind !== 'vertex') {
        host.refuse('canvas.refused.noPoint');
        return true;
      }
      if (behaviourOf(shape).removeVertex === undefined) return false;
      removeVertex(host, shape, handle.index);
      const vertices = handles().filter(({ kind }) => kind === 'vertex');
      lead(vertices[Math.min(handle.index, vertices.length - 1)] ?? null);
      return true;
    },
    add() {
      const [handle, shape] = [current(), handledShape(host)];
      if (handle === null || shape === null) return;
      const { closed } = behaviourOf(shape);
      const vertices = handles().filter(({ kind }) => kind === 'vertex');
      const next = vertices[handle.index + 1] ?? (closed === true ? vertices[0] : undefined);
      if (closed === undefined || handle.kind !== 'vertex' || next === undefined) {
        return host.refuse('canvas.refused.noEdge');
      }
      const middle = { x: (handle.x + next.x) / 2, y: (handle.y + next.y) / 2 };
      commitGeometry(host, shape, { points: insertAt(shape.points, handle.index, middle) });
      lead(handles().find(({ kind, index }) => kind === 'vertex' && index === handle.index + 1) ?? null);
    },
    clear() {
      const wasLed = current() !== null;
      if (led !== null) lead(null);
      return wasLed;
    },
  };
}
