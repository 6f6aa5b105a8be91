import { useEffect, useState } from 'react';
import { changed } from '../../canvas/changes.ts';
import { behaviourOf } from '../../canvas/shapes/shape-behaviours.ts';
import { beginningWith, turnedRound } from '../../canvas/shapes/vertex-path.ts';
import type { ContextMenuRequest } from '../../canvas/types.ts';
import { useText } from '../../i18n/index.ts';
import { Menu } from '../../ui/kit.ts';
import { MenuAt } from '../../ui/menu-at.tsx';
import { useSession } from './session-context.ts';

/** What can be done with one point of the selected shape, where it is right-clicked. */
export function VertexMenu() {
  const t = useText();
  const { engine } = useSession();
  const [asked, setAsked] = useState<ContextMenuRequest | null>(null);
  useEffect(() => {
    let opening = 0;
    const stop = engine.on('contextMenu', (request) => {
      cancelAnimationFrame(opening);
      // The press that asks for it is not over: it would count as one beside the menu, and close it.
      opening = requestAnimationFrame(() => setAsked(request.vertex === null ? null : request));
    });
    return () => {
      cancelAnimationFrame(opening);
      stop();
    };
  }, [engine]);
  const { id = null, vertex = null, screen } = asked ?? {};
  const shape = id === null ? undefined : engine.scene.getShape(id);
  if (shape === undefined || vertex === null || screen === undefined) return null;
  const { closed, removeVertex } = behaviourOf(shape);
  if (removeVertex === undefined) return null;
  const without = removeVertex(shape, vertex);
  const change = (points: readonly number[]): void =>
    void engine.execute({ kind: 'vertex', changes: [changed(shape, { ...shape, points })] });
  const name = t('annotate.vertexMenu', { number: vertex + 1, count: shape.points.length / 2 });
  return (
    <MenuAt at={screen} within="parent" label={name} onClose={() => setAsked(null)}>
      {closed === true && (
        <Menu.Item disabled={vertex === 0} onClick={() => change(beginningWith(shape.points, vertex))}>
          {t('annotate.vertexFirst')}
        </Menu.Item>
      )}
      {closed !== undefined && (
        <Menu.Item onClick={() => change(turnedRound(shape.points, closed))}>{t('annotate.vertexTurn')}</Menu.Item>
      )}
      <Menu.Divider />
      <Menu.Item
        disabled={without === null}
        rightSection="Alt+click"
        onClick={() => without !== null && change(without.points)}
      >
        {t('annotate.vertexDelete')}
      </Menu.Item>
    </MenuAt>
  );
}
