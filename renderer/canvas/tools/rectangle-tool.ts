import { boxHeight, boxOfCorners, boxWidth } from '../geometry/box.ts';
import { rectangleAround, rectangleOnAxis, rectangleOnEdge, type TurnedRectangle } from '../geometry/rectangle.ts';
import { behaviourOf } from '../shapes/shape-behaviours.ts';
import type { Box, RectangleMethod } from '../types.ts';
import { createBoxTool } from './box-tool.ts';
import { createPathTool } from './path-tool.ts';
import type { ToolHost } from './tool-host.ts';
import { interrupt, type Draft, type Tool, type ToolView } from './tool.ts';

/** Image pixels, as for dragged boxes. */
const minimumSidePx = 1;

type BoxType = 'rectangle' | 'ellipse';

const pointsOfBox = (type: BoxType, box: Box): readonly number[] => behaviourOf({ type }).pointsOfBox?.(box) ?? [];

/** Rectangles or ellipses by the chosen method; one that is begun keeps its method. */
export function createRectangleTool(host: ToolHost, type: BoxType): Tool {
  const corners = createBoxTool(host, { id: type, type, geometry: (box) => ({ points: pointsOfBox(type, box) }) });
  const onSide = type === 'ellipse' ? rectangleOnAxis : rectangleOnEdge;
  const methods: Readonly<Record<RectangleMethod, Tool>> = {
    corners,
    extreme: createPointedTool(host, { type, method: 'extreme', count: 4, rectangleOf: rectangleAround }),
    rotated: createPointedTool(host, { type, method: 'rotated', count: 3, rectangleOf: onSide }),
  };
  const all = Object.values(methods);
  const current = (): Tool =>
    all.find((tool) => tool.drawing()) ?? methods[host.options().rectangleMethod ?? 'corners'];
  return {
    id: type,
    down: (input) => current().down(input),
    move: (input) => current().move(input),
    up: (input) => current().up(input),
    interrupt: () => interrupt(current()),
    cancel: () => all.map((tool) => tool.cancel()).includes(true),
    finish: () => current().finish(),
    place: (box) => corners.place?.(box),
    undoPoint: () => current().undoPoint(),
    redoPoint: () => current().redoPoint(),
    draft: () => current().draft?.() ?? null,
    resume: (shape) => current().resume?.(shape),
    drawing: () => current().drawing(),
    dragging: () => current().dragging(),
    cursor: () => current().cursor(),
    view: () => current().view(),
  };
}

interface PointedKind {
  readonly type: BoxType;
  readonly method: 'extreme' | 'rotated';
  readonly count: number;
  rectangleOf(points: readonly number[]): TurnedRectangle;
}

function createPointedTool(host: ToolHost, { type, method, count, rectangleOf }: PointedKind): Tool {
  const geometryOf = (rectangle: TurnedRectangle) => ({
    ...rectangle,
    points: pointsOfBox(type, boxOf(rectangle)),
  });
  const path = createPathTool(host, method === 'rotated' ? 'polyline' : 'points', {
    id: type,
    count,
    tooFew: `canvas.refused.tooFew.${method}`,
    take(points) {
      const rectangle = rectangleOf(points);
      if (!isLargeEnough(boxOf(rectangle))) {
        host.refuse('canvas.refused.noExtent');
        return false;
      }
      const shape = host.newShape(type, geometryOf(rectangle));
      if (shape !== null) host.create(shape);
      return shape !== null;
    },
  });
  const preview = (points: readonly number[]): { readonly draft: Draft; readonly box: Box } => {
    const rectangle = rectangleOf(points);
    return { draft: { shape: host.draftShape(type, geometryOf(rectangle)), state: 'editing' }, box: boxOf(rectangle) };
  };
  return {
    ...path,
    view(): ToolView {
      const view = path.view();
      const points = path.next();
      const hint = type === 'ellipse' && method === 'rotated' ? 'canvas.hint.axis' : (`canvas.hint.${method}` as const);
      if (!path.drawing() || points.length < (method === 'rotated' ? 6 : 4)) return { ...view, hint };
      const { draft, box } = preview(points);
      const size = { width: boxWidth(box), height: boxHeight(box) };
      return { ...view, drafts: method === 'rotated' ? [draft] : [draft, ...view.drafts], size, hint };
    },
  };
}

const boxOf = ({ points: [left = 0, top = 0, right = 0, bottom = 0] }: TurnedRectangle): Box =>
  boxOfCorners({ x: left, y: top }, { x: right, y: bottom });

const isLargeEnough = (box: Box): boolean => boxWidth(box) >= minimumSidePx && boxHeight(box) >= minimumSidePx;
