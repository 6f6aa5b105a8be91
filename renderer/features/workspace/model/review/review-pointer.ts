import { boxOfCorners } from '../../../../canvas/geometry/box.ts';
import { boundsOf } from '../../../../canvas/shapes/shape-behaviours.ts';
import type { Point } from '../../../../canvas/types.ts';
import type { ReviewController } from './review-controller.ts';
import type { SessionParts } from '../types.ts';

interface ReviewPointerParts extends Pick<SessionParts, 'engine'> {
  readonly host: HTMLElement;
  readonly controller: ReviewController;
}

const clickPx = 4;

/**
 * Left button in review mode: a click selects, a drag pans; while an issue is placed, a click on a shape or a dragged
 * box is its place. Wheel and middle button stay with the canvas. Returns the unbind function.
 */
export function bindReviewPointer({ host, engine, controller }: ReviewPointerParts): () => void {
  const ended = new AbortController();
  const { signal } = ended;
  const band = host.ownerDocument.createElement('div');
  Object.assign(band.style, { position: 'absolute', zIndex: '2', border: '2px dashed #f2b155', pointerEvents: 'none' });

  const pointOf = (event: PointerEvent): Point => {
    const { left, top } = host.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  };
  const showBand = (from: Point, to: Point): void => {
    Object.assign(band.style, {
      left: `${Math.min(from.x, to.x)}px`,
      top: `${Math.min(from.y, to.y)}px`,
      width: `${Math.abs(from.x - to.x)}px`,
      height: `${Math.abs(from.y - to.y)}px`,
    });
    host.append(band);
  };
  const clicked = (): void => {
    const id = engine.getHover();
    const shape = id === null ? undefined : engine.scene.getShape(id);
    if (controller.state.getState().armed === null) engine.selection.set(id === null ? [] : [id]);
    else if (shape !== undefined) controller.place(boundsOf(shape));
  };
  const dragged = (from: Point, to: Point): void =>
    controller.place(boxOfCorners(engine.toImage(from), engine.toImage(to)));

  const onDown = (down: PointerEvent): void => {
    const tool = engine.getTool().id;
    const isArmed = controller.state.getState().armed !== null;
    if (down.button !== 0 || !controller.takesPointer() || (tool !== 'select' && !isArmed)) return;
    down.stopPropagation();
    const from = pointOf(down);
    let last = from;
    let far = false;
    const gesture = new AbortController();
    const options = { signal: AbortSignal.any([gesture.signal, signal]), capture: true };
    const onMove = (event: PointerEvent): void => {
      const now = pointOf(event);
      far ||= Math.hypot(now.x - from.x, now.y - from.y) > clickPx;
      if (far && isArmed) showBand(from, now);
      else if (far) engine.panBy(now.x - last.x, now.y - last.y);
      if (far) last = now;
    };
    const end = (): void => {
      gesture.abort();
      band.remove();
    };
    const onUp = (event: PointerEvent): void => {
      if (event.button !== 0) return;
      end();
      event.stopPropagation();
      if (!far) clicked();
      else if (isArmed && controller.state.getState().armed !== null) dragged(from, pointOf(event));
    };
    window.addEventListener('pointermove', onMove, options);
    window.addEventListener('pointerup', onUp, options);
    window.addEventListener('pointercancel', end, options);
  };
  host.addEventListener('pointerdown', onDown, { capture: true, signal });
  return () => {
    ended.abort();
    band.remove();
  };
}
