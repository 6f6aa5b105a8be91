import { IconArrowsExchange, IconCircleNumber1, IconTrash } from '@tabler/icons-react';
import { changed } from '../../../../canvas/changes.ts';
import { behaviourOf } from '../../../../canvas/shapes/shape-behaviours.ts';
import { beginningWith, turnedRound } from '../../../../canvas/shapes/vertex-path.ts';
import { useText } from '../../../../i18n/index.ts';
import { Menu } from '../../../../ui/kit.ts';
import { MenuAt } from '../../../../ui/menu-at.tsx';
import { useSession } from '../session-context.ts';
import { ObjectRows } from './object-menu.tsx';
import { KeyCaps, menuIcon, type ShapeMenuProps } from './menu-rows.tsx';

export function VertexMenu({ shape, vertex, ...place }: ShapeMenuProps & { readonly vertex: number }) {
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
