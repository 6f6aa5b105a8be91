import { changed } from '../changes.ts';
import type { Geometry, Handle } from '../shapes/behaviour.ts';
import { behaviourOf, moveTogether, withGeometry } from '../shapes/shape-behaviours.ts';
import { insertAt, nearestPathEdge } from '../shapes/vertex-path.ts';
import type { Command, CommandKind, Point, RecordChange, ShapeRecord, ViewRotation } from '../types.ts';
import type { ToolHost } from './tool-host.ts';
import type { Draft, PointerInput } from './tool.ts';

/** Maximum distance of the pointer from an edge to add a vertex, screen pixels. */
const edgeReachPx = 5;

export interface EdgeTarget {
  readonly shape: ShapeRecord;
  readonly edge: number;
  readonly at: Point;
}

export function handledShape(host: ToolHost): ShapeRecord | null {
  const [only, ...others] = host.selection.ids();
  const shape = only === undefined || others.length > 0 ? undefined : host.scene.getShape(only);
  return shape === undefined || shape.locked || shape.hidden || shape.outside ? null : shape;
}

function pathEdge(host: ToolHost, point: Point): EdgeTarget | null {
  const shape = handledShape(host);
  const closed = shape === null ? undefined : behaviourOf(shape).closed;
  if (shape === null || closed === undefined) return null;
  const hit = nearestPathEdge(shape.points, point, closed);
  if (hit === null || hit.distance * host.view().scale > edgeReachPx) return null;
  return { shape, edge: hit.index, at: hit.at };
}

/** The edge of the selected polygon at a point; dragging it adds a vertex. */
export function edgeUnder(host: ToolHost, point: Point): EdgeTarget | null {
  const target = pathEdge(host, point);
  return target !== null && behaviourOf(target.shape).closed === true ? target : null;
}

export function movableShapes(host: ToolHost): ShapeRecord[] {
  return host.selection.ids().flatMap((id) => {
    const shape = host.scene.getShape(id);
    return shape === undefined || shape.locked || shape.pinned === true ? [] : [shape];
  });
}

/** Moves shapes together, so that all stay inside the image. Shift locks one axis. */
export function movedShapes(
  host: ToolHost,
  shapes: readonly ShapeRecord[],
  from: Point,
  input: PointerInput,
): ShapeRecord[] {
  let dx = input.image.x - from.x;
  let dy = input.image.y - from.y;
  if (input.shift && Math.abs(dx) < Math.abs(dy)) dx = 0;
  else if (input.shift) dy = 0;
  return moveTogether(shapes, dx, dy, host.imageSize());
}

export function commitDrafts(
  host: ToolHost,
  drafts: readonly Draft[],
  kind: CommandKind,
  series?: string,
): Command | null {
  const changes = drafts.flatMap(({ shape }): RecordChange[] => {
    const before = host.scene.getShape(shape.clientId);
    return before === undefined ? [] : [changed(before, withGeometry(before, shape))];
  });
  return host.commit({ kind, changes, ...(series === undefined ? {} : { series }) });
}

export function commitGeometry(host: ToolHost, shape: ShapeRecord, geometry: Geometry): void {
  host.commit({ kind: 'vertex', changes: [changed(shape, withGeometry(shape, geometry))] });
}

export function removeVertex(host: ToolHost, shape: ShapeRecord, index: number): void {
  const geometry = behaviourOf(shape).removeVertex?.(shape, index);
  if (geometry === undefined || geometry === null) {
    host.refuse('canvas.refused.lastVertices');
    return;
  }
  commitGeometry(host, shape, geometry);
}

export function insertVertex(host: ToolHost, point: Point): void {
  const target = pathEdge(host, point);
  if (target === null) return;
  const { shape, edge, at } = target;
  commitGeometry(host, shape, { points: insertAt(shape.points, edge, at) });
}

export function kindOfHandle(handle: Handle): CommandKind {
  if (handle.kind === 'rotate') return 'rotate';
  return handle.kind === 'corner' || handle.kind === 'side' ? 'resize' : 'vertex';
}

export function openMenu(host: ToolHost, input: PointerInput): void {
  const handle = host.selected.handleAt(input.image);
  const id = (handle === null ? null : handledShape(host)?.clientId) ?? host.pick(input.image)?.id ?? null;
  if (id !== null && !host.selection.has(id)) host.selection.set([id]);
  host.contextMenu({
    id,
    vertex: handle?.kind === 'vertex' ? handle.index : null,
    screen: input.screen,
    image: input.image,
  });
}

const resizeCursors = ['ns-resize', 'nesw-resize', 'ew-resize', 'nwse-resize'] as const;

/** Resize cursors follow the rotation of shape and view. */
export function cursorOfHandle(handle: Handle, rotation: ViewRotation, isHeld: boolean): string {
  if (handle.kind === 'rotate') return isHeld ? 'grabbing' : 'grab';
  if (handle.kind === 'middle') return 'copy';
  if (handle.kind === 'move') return 'move';
  if (handle.kind === 'vertex') return 'pointer';
  const direction = Math.round(((handle.degrees + rotation) % 180) / 45) % 4;
  return resizeCursors[direction] ?? 'move';
}
