import {
  IconEye,
  IconEyeOff,
  IconLock,
  IconLockOpen,
  IconTrash,
  IconDiamondFilled,
  IconFileImport,
  IconLogout2,
  IconPinFilled,
  IconRoute,
  IconShadow,
  IconSparkles,
} from '@tabler/icons-react';
import { memo, type CSSProperties, type MouseEvent } from 'react';
import type { Label } from '../../../../../preload/contract/schema/labels.ts';
import type { ClientId, SceneRecord } from '../../../../canvas/types.ts';
import { useText } from '../../../../i18n/index.ts';
import { IconButton } from '../../../../ui/icon-button.tsx';
import { keepFocus } from '../../commands/focus.ts';
import editing from '../editing/editing.module.css';
import { useSession, useShortcuts } from '../session-context.ts';
import { shapeIcons } from '../shape-icons.ts';
import classes from './inspector.module.css';
import { ObjectCard } from './object-card.tsx';
import { useIsHovered, useObjectColor } from '../scene-hooks.ts';
import { formatFixed } from '../../../../i18n/language.ts';

/** Source of the object unless it was drawn manually. */
const Source = ({ record: { source } }: { readonly record: SceneRecord }) => {
  const t = useText();
  if (source === 'manual') return null;
  const Icon = source === 'file' ? IconFileImport : IconSparkles;
  const name = t(`statistics.source.${source}`);
  return (
    <span title={name} data-testid="source">
      <Icon size={13} stroke={1.5} aria-label={name} role="img" />
    </span>
  );
};

/** State of an object on this frame, and the score of a model. */
const ObjectMarks = ({ record }: { readonly record: SceneRecord }) => {
  const t = useText();
  if (record.kind === 'tag') {
    return (
      <span className={classes.marks}>
        <Source record={record} />
      </span>
    );
  }
  const { keyframe, occluded, outside, pinned, trackId, score, source } = record;
  const isTrack = trackId !== undefined;
  return (
    <>
      <span className={classes.marks} {...(isTrack ? { 'data-testid': 'track-marks' } : {})}>
        {occluded && <IconShadow size={13} stroke={1.5} aria-label={t('objectList.occluded')} />}
        {pinned === true && <IconPinFilled size={12} aria-label={t('objectList.pinned')} />}
        <Source record={record} />
        {isTrack && outside && <IconLogout2 size={13} stroke={1.5} aria-label={t('track.outside')} />}
        {isTrack && keyframe === true && <IconDiamondFilled size={9} aria-label={t('track.isKeyframe')} />}
        {isTrack && <IconRoute size={14} stroke={1.5} aria-label={t('annotate.shape.track')} />}
      </span>
      {(source === 'auto' || source === 'semi-auto' || score < 1) && !isTrack && (
        <span className={classes.score} title={t('objectList.score')} data-testid="score">
          {formatFixed(score, 2)}
        </span>
      )}
    </>
  );
};

interface ObjectRowProps {
  readonly record: SceneRecord;
  readonly label: Label | undefined;
  readonly selected: boolean;
  readonly open: boolean;
}

interface RowButtonsProps {
  readonly id: ClientId;
  readonly locked: boolean;
  readonly hidden: boolean;
  readonly isTag: boolean;
}

/** Memoized, because a track has another record on each frame while its buttons stay the same. */
const RowButtons = memo(({ id, locked, hidden, isTag }: RowButtonsProps) => {
  const t = useText();
  const { engine } = useSession();
  const keyOf = useShortcuts();
  return (
    <div className={classes.buttons}>
      <IconButton
        size="sm"
        label={locked ? t('annotate.unlock') : t('annotate.lock')}
        shortcut={keyOf('object.lock')}
        className={locked ? '' : (classes.quiet ?? '')}
        icon={locked ? <IconLock size={15} stroke={1.5} /> : <IconLockOpen size={15} stroke={1.5} />}
        onClick={() => engine.update([id], { locked: !locked }, 'display')}
      />
      <IconButton
        size="sm"
        label={hidden ? t('annotate.show') : t('annotate.hide')}
        shortcut={keyOf('object.hide')}
        disabled={isTag}
        className={hidden ? '' : (classes.quiet ?? '')}
        icon={hidden ? <IconEyeOff size={15} stroke={1.5} /> : <IconEye size={15} stroke={1.5} />}
        onClick={() => engine.update([id], { hidden: !hidden }, 'display')}
      />
      <IconButton
        size="sm"
        label={t('annotate.remove')}
        shortcut={keyOf('edit.delete')}
        disabled={locked}
        className={classes.quiet ?? ''}
        icon={<IconTrash size={15} stroke={1.5} />}
        onClick={() => engine.remove([id])}
      />
    </div>
  );
});
RowButtons.displayName = 'RowButtons';

const shownOfShapes = ['type', 'trackId', 'keyframe', 'outside', 'occluded', 'pinned', 'score'] as const;

/** A track has another record on each frame. A row without a card renders only if its content differs. */
function isSameRow(before: ObjectRowProps, after: ObjectRowProps): boolean {
  const isSamePlace = before.label === after.label && before.selected === after.selected && before.open === after.open;
  const [was, is] = [before.record, after.record];
  if (was === is || !isSamePlace || after.open) return was === is && isSamePlace;
  if (was.group !== is.group || was.serverId !== is.serverId || was.source !== is.source) return false;
  if (was.clientId !== is.clientId || was.locked !== is.locked || was.hidden !== is.hidden) return false;
  if (was.kind !== 'shape' || is.kind !== 'shape') return was.kind === is.kind;
  return shownOfShapes.every((name) => was[name] === is[name]);
}

export const ObjectRow = memo(({ record, label, selected, open }: ObjectRowProps) => {
  const t = useText();
  const { engine, store } = useSession();
  const hovered = useIsHovered(record.clientId);
  const color = useObjectColor(record);
  const type = record.kind === 'shape' ? record.type : 'tag';
  const KindIcon = shapeIcons[type];
  const choose = (event: MouseEvent): void => {
    if (event.ctrlKey || event.metaKey) engine.selection.toggle(record.clientId);
    else if (record.kind === 'shape') engine.focusShape(record.clientId);
    else engine.selection.set([record.clientId]);
  };
  return (
    <div
      className={classes.row}
      style={{ '--row-color': color } as CSSProperties}
      role="listitem"
      data-testid="object"
      data-kind={type}
      data-selected={selected || undefined}
      data-hovered={hovered || undefined}
      data-hidden={record.hidden || undefined}
      onMouseDown={keepFocus}
      onPointerEnter={() => engine.setHover(record.clientId)}
      onPointerLeave={() => engine.setHover(null)}
    >
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- Tab on the canvas steps through the objects */}
      <div
        className={classes.line}
        onClick={choose}
        onContextMenu={(event) => {
          event.preventDefault();
          if (!engine.selection.has(record.clientId)) engine.selection.set([record.clientId]);
          const at = { x: event.clientX, y: event.clientY };
          store.setState({ menu: { id: record.clientId, vertex: null, at, within: 'window' } });
        }}
        onDoubleClick={() => engine.focusShape(record.clientId, { zoom: true })}
      >
        <span className={classes.kind} title={t(`annotate.shape.${type}`)}>
          <KindIcon size={16} stroke={1.5} />
        </span>
        <span className={classes.objectId} title={t('objectList.id')} data-testid="object-id">
          {record.serverId ?? ''}
        </span>
        <span className={classes.name} title={label?.name}>
          {label?.name ?? '?'}
        </span>
        {record.group !== 0 && (
          <span className={editing.group} title={t('editing.groupName', { group: record.group })} data-testid="group">
            G{record.group}
          </span>
        )}
        <ObjectMarks record={record} />
        <RowButtons id={record.clientId} locked={record.locked} hidden={record.hidden} isTag={record.kind === 'tag'} />
      </div>
      {open && <ObjectCard record={record} label={label} />}
    </div>
  );
}, isSameRow);
ObjectRow.displayName = 'ObjectRow';
