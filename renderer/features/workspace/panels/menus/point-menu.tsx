import { IconArrowLeft, IconArrowRight, IconEye, IconLogout2, IconShadow } from '@tabler/icons-react';
import { useEffect } from 'react';
import { pointStateOf } from '../../../../canvas/shapes/point-states.ts';
import { useText } from '../../../../i18n/index.ts';
import { Menu } from '../../../../ui/kit.ts';
import { MenuAt } from '../../../../ui/menu-at.tsx';
import { useAnnotate, useSession } from '../session-context.ts';
import { ActionRow, type ShapeMenuProps } from './menu-rows.tsx';
import { ObjectRows, SkeletonRows } from './object-menu.tsx';

/** Menu of a skeleton's point, which becomes the selected one, and of the skeleton. */
export function PointMenu({ shape, index, ...place }: ShapeMenuProps & { readonly index: number }) {
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
