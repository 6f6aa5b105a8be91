import {
  IconArrowsLeftRight,
  IconCheck,
  IconCopy,
  IconCopyCheck,
  IconCopyPlus,
  IconDiamond,
  IconEyeOff,
  IconLock,
  IconLogout2,
  IconMessagePlus,
  IconRefresh,
  IconRoute,
  IconScissors,
  IconShadow,
  IconStackBack,
  IconStackFront,
  IconTag,
  IconTrash,
} from '@tabler/icons-react';
import type { ClientId, SceneRecord } from '../../../../canvas/types.ts';
import { useText } from '../../../../i18n/index.ts';
import { Group, Menu } from '../../../../ui/kit.ts';
import { MenuAt } from '../../../../ui/menu-at.tsx';
import { LabelDot } from '../labels/label-box.tsx';
import { labelSuitsRecord } from '../../model/labels/label-rules.ts';
import { useAnnotate, useSession, useShortcuts, useWorkspace } from '../session-context.ts';
import classes from './menus.module.css';
import { ActionRow, KeyCaps, menuIcon, type MenuProps } from './menu-rows.tsx';
import { useLabelColor } from '../scene-hooks.ts';

/** The object under the pointer with the rest of its selection. */
function useTargets(id: ClientId): readonly SceneRecord[] {
  const { engine } = useSession();
  const ids = engine.selection.has(id) ? engine.selection.ids() : [id];
  return ids.flatMap((one) => engine.scene.get(one) ?? []);
}

const LabelRows = ({ targets }: { readonly targets: readonly SceneRecord[] }) => {
  const { drawing } = useSession();
  const labels = useAnnotate((state) => state.labels);
  const colorOf = useLabelColor();
  const keyOf = useShortcuts();
  const fits = labels.filter((label) => targets.every((record) => labelSuitsRecord(label, record, labels)));
  const ids = targets.map(({ clientId }) => clientId);
  return fits.map((label) => (
    <Menu.Item
      key={label.id}
      leftSection={<LabelDot color={colorOf(label)} />}
      rightSection={
        <Group component="span" gap={6} wrap="nowrap">
          {targets.every(({ labelId }) => labelId === label.id) && <IconCheck size={14} />}
          <KeyCaps text={keyOf(`label.set${labels.indexOf(label) + 1}`)} />
        </Group>
      }
      onClick={() => drawing.relabel(ids, label.id)}
    >
      {label.name}
    </Menu.Item>
  ));
};

export const SkeletonRows = ({ blocked = null }: { readonly blocked?: string | null }) => (
  <>
    <ActionRow action="edit.swapSides" icon={IconArrowsLeftRight} blocked={blocked} />
    <ActionRow action="edit.resetSkeleton" icon={IconRefresh} blocked={blocked} />
  </>
);

interface ObjectRowsProps {
  readonly id: ClientId;
  /** False below the rows of a point, which already show its states. */
  readonly whole?: boolean;
}

export function ObjectRows({ id, whole = true }: ObjectRowsProps) {
  const t = useText();
  const { engine, review } = useSession();
  const { actions } = useWorkspace();
  const keyOf = useShortcuts();
  const targets = useTargets(id);
  const shapes = targets.filter((record) => record.kind === 'shape');
  const isTrack = shapes.some(({ trackId }) => trackId !== undefined);
  const isLocked = targets.every(({ locked }) => locked);
  const blocked = isLocked ? t('annotate.objectMenu.locked') : null;
  const mayEdit = blocked === null && actions.get('edit.delete')?.when() === true;
  const rows = { blocked };
  return (
    <>
      <Menu.Sub openDelay={80} position="right-start">
        <Menu.Sub.Target>
          <Menu.Sub.Item
            leftSection={menuIcon(IconTag)}
            disabled={!mayEdit}
            {...(blocked === null ? {} : { title: blocked })}
          >
            {t('annotate.objectMenu.label')}
          </Menu.Sub.Item>
        </Menu.Sub.Target>
        <Menu.Sub.Dropdown className={classes.labels ?? ''}>
          <LabelRows targets={targets} />
        </Menu.Sub.Dropdown>
      </Menu.Sub>
      {whole && shapes.length > 0 && (
        <ActionRow
          {...rows}
          action="object.occluded"
          icon={IconShadow}
          name={t('annotate.occluded')}
          checked={shapes.every(({ occluded }) => occluded)}
        />
      )}
      {isTrack && (
        <>
          {whole && (
            <ActionRow
              {...rows}
              action="object.outside"
              icon={IconLogout2}
              name={t('annotate.objectMenu.outside')}
              checked={shapes.every(({ outside }) => outside)}
            />
          )}
          <ActionRow
            {...rows}
            action="track.keyframe"
            icon={IconDiamond}
            name={t('track.isKeyframe')}
            checked={shapes.every(({ keyframe }) => keyframe === true)}
          />
          <ActionRow {...rows} action="track.removeFrom" icon={IconScissors} />
        </>
      )}
      {whole && shapes.length > 0 && shapes.every(({ type }) => type === 'skeleton') && <SkeletonRows {...rows} />}
      <Menu.Divider />
      <ActionRow action="edit.copy" icon={IconCopy} />
      <ActionRow action="edit.duplicate" icon={IconCopyCheck} />
      {shapes.length > 0 && !isTrack && (
        <>
          <ActionRow {...rows} action="track.propagate" icon={IconCopyPlus} />
          <ActionRow {...rows} action="track.toTrack" icon={IconRoute} />
        </>
      )}
      {shapes.length > 0 && (
        <>
          <Menu.Divider />
          <ActionRow {...rows} action="object.toFront" icon={IconStackFront} />
          <ActionRow {...rows} action="object.toBack" icon={IconStackBack} />
          <ActionRow action="object.lock" icon={IconLock} name={t(isLocked ? 'annotate.unlock' : 'annotate.lock')} />
          <ActionRow
            action="object.hide"
            icon={IconEyeOff}
            name={t(shapes.every(({ hidden }) => hidden) ? 'annotate.show' : 'annotate.hide')}
          />
          <Menu.Item
            leftSection={menuIcon(IconMessagePlus)}
            onClick={() => review.begin(null, { width: 1, height: 1 })}
          >
            {t('annotate.objectMenu.issue')}
          </Menu.Item>
        </>
      )}
      <Menu.Divider />
      <Menu.Item
        color="var(--limner-failure)"
        leftSection={menuIcon(IconTrash)}
        rightSection={<KeyCaps text={keyOf('edit.delete')} />}
        disabled={!mayEdit}
        {...(blocked === null ? {} : { title: blocked })}
        onClick={() => engine.remove(targets.map(({ clientId }) => clientId))}
      >
        {t('annotate.objectMenu.delete', { count: targets.length })}
      </Menu.Item>
    </>
  );
}

export function ObjectMenu({ id, ...place }: MenuProps & { readonly id: ClientId }) {
  const t = useText();
  const targets = useTargets(id);
  const labels = useAnnotate((state) => state.labels);
  const [first] = targets;
  if (first === undefined) return null;
  const label = labels.find((one) => one.id === first.labelId)?.name ?? '?';
  const name =
    targets.length > 1
      ? t('annotate.objectCount', { count: targets.length })
      : `${label} ${first.serverId ?? ''}`.trimEnd();
  return (
    <MenuAt {...place} width={272} label={name}>
      <ObjectRows id={id} />
    </MenuAt>
  );
}
