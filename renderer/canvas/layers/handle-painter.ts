import type { Handle } from '../shapes/behaviour.ts';
import type { PointState } from '../shapes/point-states.ts';

interface HandleStyle {
  /** Image pixels per screen pixel. */
  readonly pixel: number;
  readonly color: string;
  readonly sizePx: number;
  readonly active: Handle | null;
  /** Replaces a handle of the shape: state and colour of a skeleton's point. */
  readonly nodeOf?: ((handle: Handle) => { readonly state: PointState; readonly color: string } | null) | undefined;
}

/** Screen pixels. */
export const handleSizePx = 8;
const activeGrowth = 1.5;

/** Corners and sides are squares that rotate with the shape, vertices circles, midpoints small and faint. */
export function paintHandles(
  target: CanvasRenderingContext2D,
  handles: readonly Handle[],
  { pixel, color, sizePx, active, nodeOf }: HandleStyle,
): void {
  paintRotationStem(target, handles, pixel, color);
  const paths = { faint: new Path2D(), plain: new Path2D(), grown: new Path2D() };
  for (const handle of handles) {
    const node = nodeOf?.(handle) ?? null;
    if (node !== null) {
      paintNode(target, handle, { ...node, pixel, isChosen: handle.id === active?.id });
      continue;
    }
    const isActive = handle.id === active?.id;
    const half = (sizePx / 2) * pixel * (isActive ? activeGrowth : 1) * (handle.kind === 'middle' ? 0.75 : 1);
    const path = isActive ? paths.grown : handle.kind === 'middle' ? paths.faint : paths.plain;
    if (handle.kind === 'corner' || handle.kind === 'side') addSquare(path, handle, half);
    else addCircle(path, handle, handle.kind === 'move' ? half * 1.25 : half);
  }
  target.lineWidth = 1.5 * pixel;
  target.strokeStyle = color;
  target.globalAlpha = 0.55;
  target.fillStyle = '#ffffff';
  target.fill(paths.faint);
  target.stroke(paths.faint);
  target.globalAlpha = 1;
  // A dark outer edge keeps white handles visible on a white sky.
  target.strokeStyle = 'rgba(0, 0, 0, 0.55)';
  target.lineWidth = 3 * pixel;
  target.stroke(paths.plain);
  target.stroke(paths.grown);
  target.fill(paths.plain);
  target.strokeStyle = color;
  target.lineWidth = 1.5 * pixel;
  target.stroke(paths.plain);
  target.fillStyle = color;
  target.fill(paths.grown);
  target.strokeStyle = '#ffffff';
  target.stroke(paths.grown);
}

interface NodeStyle {
  readonly state: PointState;
  readonly color: string;
  readonly pixel: number;
  readonly isChosen: boolean;
}

const chosenRing = '#4d7dff';

/** Visible points are filled, occluded ones dark inside, outside ones dashed. The chosen one has a ring. */
function paintNode(target: CanvasRenderingContext2D, at: Handle, style: NodeStyle): void {
  const { state, color, pixel, isChosen } = style;
  const radius = (state === 'outside' ? 5 : isChosen ? 5.5 : 4.5) * pixel;
  const ring = (radiusPx: number, width: number, stroke: string): void => {
    target.beginPath();
    target.arc(at.x, at.y, radiusPx, 0, Math.PI * 2);
    target.lineWidth = width * pixel;
    target.strokeStyle = stroke;
    target.stroke();
  };
  target.save();
  target.setLineDash([]);
  if (isChosen) ring(radius + 3 * pixel, 3, chosenRing);
  ring(radius, 3.5, 'rgba(0, 0, 0, 0.55)');
  if (state !== 'outside') {
    target.fillStyle = state === 'occluded' ? 'rgba(0, 0, 0, 0.55)' : color;
    target.fill();
  } else target.setLineDash([3 * pixel, 2.5 * pixel]);
  ring(radius, state === 'occluded' ? 2.5 : 1.5, state === 'occluded' ? color : '#ffffff');
  target.restore();
}

function paintRotationStem(
  target: CanvasRenderingContext2D,
  handles: readonly Handle[],
  pixel: number,
  color: string,
): void {
  const knob = handles.find(({ kind }) => kind === 'rotate');
  if (knob === undefined) return;
  const north = handles.find(({ id }) => id === 'n');
  const northWest = handles.find(({ id }) => id === 'nw');
  const northEast = handles.find(({ id }) => id === 'ne');
  const foot =
    north ??
    (northWest === undefined || northEast === undefined
      ? knob
      : { x: (northWest.x + northEast.x) / 2, y: (northWest.y + northEast.y) / 2 });
  target.beginPath();
  target.moveTo(foot.x, foot.y);
  target.lineTo(knob.x, knob.y);
  target.strokeStyle = 'rgba(0, 0, 0, 0.45)';
  target.lineWidth = 3 * pixel;
  target.stroke();
  target.strokeStyle = color;
  target.lineWidth = 1.5 * pixel;
  target.stroke();
}

function addCircle(path: Path2D, { x, y }: Handle, radius: number): void {
  path.moveTo(x + radius, y);
  path.arc(x, y, radius, 0, Math.PI * 2);
}

function addSquare(path: Path2D, { x, y, degrees }: Handle, half: number): void {
  // Corner handles pull at 45° to the sides; a square looks the same after a quarter turn.
  const turn = ((degrees % 45) * Math.PI) / 180;
  const cosine = Math.cos(turn) * half;
  const sine = Math.sin(turn) * half;
  path.moveTo(x - cosine + sine, y - sine - cosine);
  path.lineTo(x + cosine + sine, y + sine - cosine);
  path.lineTo(x + cosine - sine, y + sine + cosine);
  path.lineTo(x - cosine - sine, y - sine + cosine);
  path.closePath();
}
