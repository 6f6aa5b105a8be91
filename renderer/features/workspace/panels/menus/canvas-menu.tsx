import { useEffect, useState } from 'react';
import type { CanvasEngine } from '../../../../canvas/canvas-engine.ts';
import { behaviourOf, boundsOf } from '../../../../canvas/shapes/shape-behaviours.ts';
import type { ClientId, Point } from '../../../../canvas/types.ts';
import { stopAll } from '../../../../canvas/emitter.ts';
import { useSession } from '../session-context.ts';
import { FrameMenu } from './frame-menu.tsx';
import { ObjectMenu } from './object-menu.tsx';
import { PointMenu } from './point-menu.tsx';
import { VertexMenu } from './vertex-menu.tsx';
import type { MenuRequest } from '../../model/types.ts';
import type { MenuProps } from './menu-rows.tsx';

/** Maximum distance of a menu from the pointer, screen pixels. */
const reachPx = 160;

/** Beside a small object; at the pointer over a large one. */
function besideObject(engine: CanvasEngine, id: ClientId, at: Point): Point {
  const shape = engine.scene.getShape(id);
  if (shape === undefined) return at;
  const { left, top, right, bottom } = boundsOf(shape);
  // The view may be rotated.
  const edge = Math.max(...[left, right].flatMap((x) => [top, bottom].map((y) => engine.toScreen({ x, y }).x)));
  return edge - at.x > reachPx ? at : { x: edge + 8, y: at.y };
}

/** Context menu of a point, the selected objects, or the frame if nothing was hit. */
export function CanvasMenu() {
  const { engine, store } = useSession();
  const [request, setRequest] = useState<MenuRequest | null>(null);
  useEffect(() => {
    let opening = 0;
    const show = (next: MenuRequest): void => {
      cancelAnimationFrame(opening);
      // The opening press is not over yet and would close the menu as a click outside.
      opening = requestAnimationFrame(() => setRequest(next));
    };
    const stops = [
      engine.on('contextMenu', ({ id, vertex, screen }) => {
        const at = vertex === null && id !== null ? besideObject(engine, id, screen) : screen;
        show({ id, vertex, at, within: 'parent' });
      }),
      store.subscribe(({ menu }, before) => menu !== null && menu !== before.menu && show(menu)),
    ];
    return () => {
      cancelAnimationFrame(opening);
      stopAll(stops);
    };
  }, [engine, store]);
  if (request === null) return null;
  const close = (): void => setRequest(null);
  const { id, vertex, at, within } = request;
  const props: MenuProps = { at, within, onClose: close };
  if (id === null) return <FrameMenu {...props} />;
  const shape = engine.scene.getShape(id);
  if (vertex !== null && shape?.type === 'skeleton') return <PointMenu {...props} shape={shape} index={vertex} />;
  const hasVertices = shape !== undefined && behaviourOf(shape).removeVertex !== undefined;
  if (vertex !== null && hasVertices) return <VertexMenu {...props} shape={shape} vertex={vertex} />;
  return <ObjectMenu {...props} id={id} />;
}
