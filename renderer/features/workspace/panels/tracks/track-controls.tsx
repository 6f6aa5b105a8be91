import {
  IconChevronLeft,
  IconChevronRight,
  IconDiamond,
  IconDiamondFilled,
  IconDots,
  IconLogout2,
  IconPin,
} from '@tabler/icons-react';
import { countedKeyframes } from '../../../../canvas/tracks/track-edits.ts';
import type { ShapeRecord, TrackRecord } from '../../../../canvas/types.ts';
import { useText } from '../../../../i18n/index.ts';
import { IconButton } from '../../../../ui/icon-button.tsx';
import { Group, Menu } from '../../../../ui/kit.ts';
import { keepFocus } from '../../commands/focus.ts';
import { useAnnotate, useSession, useShortcuts, useWorkspace } from '../session-context.ts';
import classes from '../inspector/inspector.module.css';

const iconSize = { size: 16, stroke: 1.5 };
/** An active state is visible without hovering. */
const toggled = (pressed: boolean) => ({ pressed, variant: pressed ? 'light' : 'subtle' });

const menuActions = ['track.split', 'track.removeBefore', 'track.removeFrom', 'track.toShapes'] as const;

/** Keyframes, states and actions of a track on this frame. */
export function TrackControls({ record, track }: { readonly record: ShapeRecord; readonly track: TrackRecord }) {
  const t = useText();
  const { engine, trackController } = useSession();
  const { actions } = useWorkspace();
  const keyOf = useShortcuts();
  const { locked } = record;
  const deleted = useAnnotate((state) => state.deleted);
  const frames = countedKeyframes(track, deleted);
  const place = frames.findLastIndex((frame) => frame <= record.frame) + 1;
  const update = (patch: { outside?: boolean; pinned?: boolean }, kind: 'state' | 'display'): void =>
    void engine.update([record.clientId], patch, kind);
  return (
    <Group gap={2} wrap="nowrap" onMouseDown={keepFocus} data-testid="track-controls">
      <IconButton
        size="sm"
        label={t('track.previousKeyframe')}
        shortcut={keyOf('track.previousKeyframe')}
        disabled={trackController.keyframeAway(-1) === undefined}
        icon={<IconChevronLeft {...iconSize} />}
        onClick={() => trackController.goToKeyframe(-1)}
      />
      <span className={classes.place} data-testid="keyframe-place">
        {t('track.keyframeOf', { place, count: frames.length })}
      </span>
      <IconButton
        size="sm"
        label={t('track.nextKeyframe')}
        shortcut={keyOf('track.nextKeyframe')}
        disabled={trackController.keyframeAway(1) === undefined}
        icon={<IconChevronRight {...iconSize} />}
        onClick={() => trackController.goToKeyframe(1)}
      />
      <IconButton
        size="sm"
        label={t('track.isKeyframe')}
        shortcut={keyOf('track.keyframe')}
        {...toggled(record.keyframe === true)}
        disabled={locked}
        icon={record.keyframe === true ? <IconDiamondFilled size={14} /> : <IconDiamond {...iconSize} />}
        onClick={trackController.toggleKeyframe}
      />
      <IconButton
        size="sm"
        label={t('track.outside')}
        shortcut={keyOf('object.outside')}
        {...toggled(record.outside)}
        disabled={locked}
        icon={<IconLogout2 {...iconSize} />}
        onClick={() => update({ outside: !record.outside }, 'state')}
      />
      <IconButton
        size="sm"
        label={t('track.pinned')}
        shortcut={keyOf('object.pin')}
        {...toggled(record.pinned === true)}
        disabled={locked}
        icon={<IconPin {...iconSize} />}
        onClick={() => update({ pinned: record.pinned !== true }, 'display')}
      />
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <IconButton size="sm" label={t('track.more')} icon={<IconDots {...iconSize} />} />
        </Menu.Target>
        <Menu.Dropdown>
          {menuActions.map((id) => (
            <Menu.Item key={id} disabled={locked} onClick={() => actions.run(id)}>
              {t(id)}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </Group>
  );
}
