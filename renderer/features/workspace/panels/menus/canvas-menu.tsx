import { useEffect, useState } from 'react';
import type { CanvasEngine } from '../../../../canvas/canvas-engine.ts';
import { behaviourOf, boundsOf } from '../../../../canvas/shapes/shape-behaviours.ts';
import type { ClientId, Point } from '../../../../canvas/types.ts';
import { stopAll } from '../../../../canvas/emitter.ts';
import { useSession, useAnnotate } from '../session-context.ts';
import { FrameMenu } from './frame-menu.tsx';
import { ObjectMenu, ObjectRows, SkeletonRows } from './object-menu.tsx';
import type { MenuRequest } from '../../model/types.ts';
import { type MenuProps, ActionRow, type ShapeMenuProps, KeyCaps, menuIcon } from './menu-rows.tsx';
import {
  IconArrowLeft,
  IconArrowRight,
  IconEye,
  IconLogout2,
  IconShadow,
  IconArrowsExchange,
  IconCircleNumber1,
  IconTrash,
} from '@tabler/icons-react';
import { pointStateOf } from '../../../../canvas/shapes/point-states.ts';
import { useText } from '../../../../i18n/index.ts';
import { Menu } from '../../../../ui/kit.ts';
import { MenuAt } from '../../../../ui/menu-at.tsx';
import { changed } from '../../../../canvas/changes.ts';
import { beginningWith, turnedRound } from '../../../../canvas/shapes/vertex-path.ts';

function VertexMenu({ shape, vertex, ...place }: ShapeMenuProps & { readonly vertex: number }) {
  const t = useText();
  const { engine } = useSession();
  const { closed, removeVertex } = behaviourOf(shape);
  const without = removeVertex?.(shape, vertex) ?? null;
  const change = (points: readonly number[]): void =>
    void engine.execute({ kind: 'vertex', changes: [changed(shape, { ...shape, points })] });
  const name = t('annotate.vertexMenu', { number: vertex + 1, count: shape.points.length / 2 });
  return (
    <MenuAt {...place} width={272} label={name}>
      {closed === true && (
        <Menu.Item
          leftSection={menuIcon(IconCircleNumber1)}
          disabled={vertex === 0}
          onClick={() => change(beginningWith(shape.points, vertex))}
        >
          {t('annotate.vertexFirst')}
        </Menu.Item>
      )}
      {closed !== undefined && (
        <Menu.Item leftSection={menuIcon(IconArrowsExchange)} onClick={() => change(turnedRound(shape.points, closed))}>
          {t('annotate.vertexTurn')}
        </Menu.Item>
      )}
      <Menu.Item
        leftSection={menuIcon(IconTrash)}
        disabled={without === null}
        rightSection={<KeyCaps text={t('annotate.altClick')} />}
        onClick={() => without !== null && change(without.points)}
      >
        {t('annotate.vertexDelete')}
      </Menu.Item>
      <Menu.Divider />
      <ObjectRows id={shape.clientId} />
    </MenuAt>
  );
}

/** Menu of a skeleton's point, which becomes the selected one, and of the skeleton. */
function PointMenu({ shape, index, ...place }: ShapeMenuProps & { readonly index: number }) {
  const t = useText();
  const { engine } = useSession();
  const labels = useAnnotate((state) => state.labels);
  useEffect(() => engine.keyPoint()?.choose(index), [engine, index]);
  const element = shape.elements?.[index];
  if (element === undefined) return null;
  const point = labels.flatMap(({ sublabels }) => sublabels).find(({ id }) => id === element.labelId);
  const state = pointStateOf(element);
  return (
    <MenuAt {...place} width={272} label={t('annotate.point.menu', { name: point?.name ?? '?', number: index + 1 })}>
      <ActionRow
        action="object.visible"
        icon={IconEye}
        name={t('annotate.point.visible')}
        checked={state === 'visible'}
      />
      <ActionRow
        action="object.occluded"
        icon={IconShadow}
        name={t('annotate.point.occluded')}
        checked={state === 'occluded'}
      />
      <ActionRow
        action="object.outside"
        icon={IconLogout2}
        name={t('annotate.point.outside')}
        checked={state === 'outside'}
      />
      <Menu.Divider />
      <ActionRow action="edit.nextPoint" icon={IconArrowRight} name={t('annotate.point.next')} />
      <ActionRow action="edit.previousPoint" icon={IconArrowLeft} name={t('annotate.point.previous')} />
      <Menu.Divider />
      <SkeletonRows />
      <Menu.Divider />
      <ObjectRows id={shape.clientId} whole={false} />
    </MenuAt>
  );
}

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
