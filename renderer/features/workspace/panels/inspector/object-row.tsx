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
import { memo, useRef, useState, type CSSProperties, type MouseEvent } from 'react';
import type { Label } from '../../../../../preload/contract/schema/labels.ts';
import type { ClientId, SceneRecord } from '../../../../canvas/types.ts';
import { useText } from '../../../../i18n/index.ts';
import { IconButton } from '../../../../ui/icon-button.tsx';
import { TextInput } from '../../../../ui/kit.ts';
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
  /** Number of a text region in reading order. */
  readonly number: number | undefined;
  /** Text of a text region; undefined for other objects. */
  readonly text: string | undefined;
  readonly isEdited: boolean;
  readonly onEdit: (id: ClientId) => void;
  /** @param value null if the text stays */
  readonly onEdited: (id: ClientId, value: string | null, isNext: boolean) => void;
}

/** The text of a region in place: Enter saves and edits the next one, Escape restores it. */
function TextField({ record: { clientId }, text, onEdited }: Pick<ObjectRowProps, 'record' | 'text' | 'onEdited'>) {
  const t = useText();
  const [value, setValue] = useState(text ?? '');
  const isDone = useRef(false);
  const finish = (isNext: boolean, isKept = true): void => {
    // A field that is removed may lose the focus, too.
    if (isDone.current) return;
    isDone.current = true;
    onEdited(clientId, isKept && value !== text ? value : null, isNext);
  };
  return (
    <TextInput
      size="xs"
      flex={1}
      dir="auto"
      autoFocus
      spellCheck={false}
      aria-label={t('objectList.text')}
      value={value}
      onChange={setValue}
      onFocus={(event) => event.target.select()}
      onBlur={() => finish(false)}
      onMouseDown={(event) => event.stopPropagation()}
      onClick={(event) => event.stopPropagation()}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.nativeEvent.isComposing) return;
        if (event.key === 'Enter') finish(true);
        if (event.key === 'Escape') finish(false, false);
      }}
    />
  );
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

const placed = ['label', 'selected', 'open', 'number', 'text', 'isEdited'] as const;

/** A track has another record on each frame. A row without a card renders only if its content differs. */
function isSameRow(before: ObjectRowProps, after: ObjectRowProps): boolean {
  const isSamePlace = placed.every((name) => before[name] === after[name]);
  const [was, is] = [before.record, after.record];
  if (was === is || !isSamePlace || after.open) return was === is && isSamePlace;
  if (was.group !== is.group || was.serverId !== is.serverId || was.source !== is.source) return false;
  if (was.clientId !== is.clientId || was.locked !== is.locked || was.hidden !== is.hidden) return false;
  if (was.kind !== 'shape' || is.kind !== 'shape') return was.kind === is.kind;
  return shownOfShapes.every((name) => was[name] === is[name]);
}

export const ObjectRow = memo((props: ObjectRowProps) => {
  const { record, label, selected, open, number, text, isEdited, onEdit, onEdited } = props;
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
        {number === undefined ? (
          <span className={classes.objectId} title={t('objectList.id')} data-testid="object-id">
            {record.serverId ?? ''}
          </span>
        ) : (
          <span className={classes.objectId} title={t('objectList.number')} data-testid="reading-number">
            {number}
          </span>
        )}
        {isEdited ? (
          <TextField record={record} text={text} onEdited={onEdited} />
        ) : (
          <bdi
            className={classes.name}
            title={text === undefined ? label?.name : t('objectList.editText')}
            data-testid={text === undefined ? undefined : 'region-text'}
            onDoubleClick={(event) => {
              if (text === undefined) return;
              event.stopPropagation();
              onEdit(record.clientId);
            }}
          >
            {text || (label?.name ?? '?')}
          </bdi>
        )}
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
