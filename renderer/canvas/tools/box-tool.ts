import type { TextKey } from '../../i18n/text-key.ts';
import { boxHeight, boxWidth } from '../geometry/box.ts';
import { clampPoint } from '../geometry/point.ts';
import type { Geometry } from '../shapes/behaviour.ts';
import type { Box, ShapeType, ToolId } from '../types.ts';
import { createBoxGesture } from './box-gesture.ts';
import type { ToolHost } from './tool-host.ts';
import { emptyToolView, type Tool } from './tool.ts';

interface BoxToolKind {
  readonly id: ToolId;
  readonly type: ShapeType;
  geometry(box: Box): Geometry;
  /** Reason if a box cannot become this shape, else null. */
  problem?(): TextKey | null;
}

/** Image pixels; smaller boxes are accidental. */
const minimumSidePx = 1;

/** Draws one shape per box. */
export function createBoxTool(host: ToolHost, kind: BoxToolKind): Tool {
  const gesture = createBoxGesture({
    place: (point) => clampPoint(point, host.imageSize()),
    started() {
      host.drawStarted();
      host.refresh('active');
    },
    changed: () => host.refresh('active'),
    finished: (box) => finish(box),
  });
  const finish = (box: Box): void => {
    const shape = isLargeEnough(box) ? host.newShape(kind.type, kind.geometry(box)) : null;
    if (shape === null) {
      if (!isLargeEnough(box)) host.refuse('canvas.refused.noSize');
      host.drawEnded('cancelled');
    } else {
      host.create(shape);
      host.drawEnded('done');
    }
    host.refresh('active');
  };
  const cancel = (): boolean => {
    if (!gesture.reset()) return false;
    host.drawEnded('cancelled');
    host.refresh('active');
    return true;
  };

  return {
    id: kind.id,
    down(input) {
      if (input.button === 2) cancel();
      const problem = kind.problem?.() ?? null;
      if (problem !== null) host.refuse(problem);
      else gesture.down(input);
    },
    move: gesture.move,
    up: gesture.up,
    cancel,
    finish: () => false,
    place(box) {
      host.drawStarted();
      finish(box);
    },
    undoPoint: cancel,
    redoPoint: () => false,
    drawing: () => gesture.box() !== null,
    dragging: gesture.held,
    cursor: () => 'crosshair',
    view() {
      const box = gesture.box();
      if (box === null) return { ...emptyToolView, hint: 'canvas.hint.box' };
      const shape = host.draftShape(kind.type, kind.geometry(box));
      const size = { width: boxWidth(box), height: boxHeight(box) };
      return { ...emptyToolView, drafts: [{ shape, state: 'editing' }], size, hint: 'canvas.hint.boxDrawn' };
    },
  };
}

const isLargeEnough = (box: Box): boolean => boxWidth(box) >= minimumSidePx && boxHeight(box) >= minimumSidePx;
