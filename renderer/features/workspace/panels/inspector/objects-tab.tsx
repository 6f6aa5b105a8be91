import { IconEye, IconEyeOff, IconLock, IconLockOpen, IconX } from '@tabler/icons-react';
import { memo, useCallback, useDeferredValue, useMemo, useState } from 'react';
import type { Label } from '../../../../../preload/contract/schema/labels.ts';
import { textAttribute } from '../../../../../preload/contract/schema/model-files.ts';
import { readingNumbers, regionText } from '../../../../canvas/reading-numbers.ts';
import type { ClientId, SceneRecord } from '../../../../canvas/types.ts';
import { useText } from '../../../../i18n/index.ts';
import { IconButton } from '../../../../ui/icon-button.tsx';
import { Select, Text, TextInput, useLocalStorage } from '../../../../ui/kit.ts';
import { keepFocus } from '../../commands/focus.ts';
import { canvasLabels, withAttribute } from '../../model/labels/label-rules.ts';
import { FilterBanner } from '../find/filter-button.tsx';
import { BatchPanel } from '../editing/batch-panel.tsx';
import { useAnnotate, useSession, useShortcuts } from '../session-context.ts';
import classes from './inspector.module.css';
import { listKey } from './list-keys.ts';
import {
  groupObjects,
  objectGroupings,
  type ObjectGrouping,
  type GroupKey,
  type ObjectGroup,
} from './object-groups.ts';
import { searchObjects, type SearchedWords } from './object-search.ts';
import { objectOrders, orderObjects, type ObjectOrder } from './object-order.ts';
import { ObjectRow } from './object-row.tsx';
import { RecordList } from '../virtual-rows.tsx';
import { isListed, useRecords, useSelection, useLabelColor } from '../scene-hooks.ts';
import { formatNumber } from '../../../../i18n/language.ts';

function useGroupName(): (key: GroupKey) => string {
  const t = useText();
  const labels = useAnnotate((state) => state.labels);
  return (key) => {
    switch (key.by) {
      case 'label':
        return labels.find(({ id }) => id === key.labelId)?.name ?? '?';
      case 'layer':
        return key.zOrder === null ? t('objectList.tags') : t('objectList.layer', { layer: key.zOrder });
      case 'track':
        return t(`objectList.${key.kind}s`);
      case 'group':
        return key.group === 0 ? t('objectList.noGroup') : t('editing.groupName', { group: key.group });
    }
  };
}

function GroupHead({ group: { key, count } }: { readonly group: ObjectGroup }) {
  const nameOf = useGroupName();
  const labels = useAnnotate((state) => state.labels);
  const colorOf = useLabelColor();
  const label = key.by === 'label' ? labels.find(({ id }) => id === key.labelId) : undefined;
  return (
    <div className={classes.groupHead} data-testid="group-head">
      {label !== undefined && <span className={classes.groupSwatch} style={{ background: colorOf(label) }} />}
      <span className={classes.groupName} title={nameOf(key)}>
        {nameOf(key)}
      </span>
      <span className={classes.count}>{formatNumber(count)}</span>
    </div>
  );
}

interface HeadProps {
  /** Counts of the frame's objects; the buttons affect all of them. */
  readonly isEmpty: boolean;
  readonly anyOpen: boolean;
  readonly anyShown: boolean;
  readonly onChange: (change: 'locked' | 'hidden', value: boolean) => void;
  readonly order: ObjectOrder;
  readonly onOrder: (order: ObjectOrder) => void;
  readonly grouping: ObjectGrouping;
  readonly onGrouping: (grouping: ObjectGrouping) => void;
}

const Head = memo(({ isEmpty, anyOpen, anyShown, onChange, order, onOrder, grouping, onGrouping }: HeadProps) => {
  const t = useText();
  const keyOf = useShortcuts();
  return (
    <div className={classes.head} onMouseDown={keepFocus}>
      <Select
        size="xs"
        variant="unstyled"
        w={112}
        aria-label={t('objectList.groupBy')}
        allowDeselect={false}
        data={objectGroupings.map((value) => ({ value, label: t(`objectList.by.${value}`) }))}
        value={grouping}
        onChange={(value) => value !== null && onGrouping(value as ObjectGrouping)}
      />
      <Select
        size="xs"
        variant="unstyled"
        w={128}
        aria-label={t('annotate.sortBy')}
        allowDeselect={false}
        data={objectOrders.map((value) => ({ value, label: t(`annotate.sort.${value}`) }))}
        value={order}
        onChange={(value) => value !== null && onOrder(value as ObjectOrder)}
      />
      <span style={{ flex: 1 }} />
      <IconButton
        label={anyOpen ? t('annotate.lockAll') : t('annotate.unlockAll')}
        shortcut={keyOf('object.lockAll')}
        disabled={isEmpty}
        icon={anyOpen ? <IconLockOpen size={16} stroke={1.5} /> : <IconLock size={16} stroke={1.5} />}
        onClick={() => onChange('locked', anyOpen)}
      />
      <IconButton
        label={anyShown ? t('annotate.hideAll') : t('annotate.showAll')}
        shortcut={keyOf('object.hideAll')}
        disabled={isEmpty}
        icon={anyShown ? <IconEye size={16} stroke={1.5} /> : <IconEyeOff size={16} stroke={1.5} />}
        onClick={() => onChange('hidden', anyShown)}
      />
    </div>
  );
});
Head.displayName = 'Head';

const SearchField = memo(({ text, onText }: { readonly text: string; readonly onText: (text: string) => void }) => {
  const t = useText();
  return (
    <TextInput
      size="xs"
      flex="none"
      mt={6}
      mx={8}
      aria-label={t('objectList.search')}
      placeholder={t('objectList.searchHint')}
      value={text}
      onChange={onText}
      onKeyDown={(event) => event.key === 'Escape' && onText('')}
      rightSection={
        text !== '' && (
          <IconButton
            size="sm"
            label={t('objectList.clear')}
            icon={<IconX size={14} stroke={1.5} />}
            onClick={() => onText('')}
          />
        )
      }
    />
  );
});
SearchField.displayName = 'SearchField';

function useSearchedWords(labels: readonly Label[]): (record: SceneRecord) => SearchedWords {
  const t = useText();
  return useCallback(
    (record) => {
      const others = [t(`annotate.shape.${record.kind === 'shape' ? record.type : 'tag'}`)];
      if (record.source !== 'manual') others.push(t(`statistics.source.${record.source}`));
      if (record.locked) others.push(t('objectList.locked'));
      if (record.hidden) others.push(t('objectList.hidden'));
      if (record.kind === 'shape') {
        if (record.trackId !== undefined) others.push(t('annotate.shape.track'));
        if (record.occluded) others.push(t('objectList.occluded'));
        if (record.outside) others.push(t('track.outside'));
        if (record.pinned === true) others.push(t('objectList.pinned'));
      }
      return { label: labels.find(({ id }) => id === record.labelId)?.name ?? '', others };
    },
    [t, labels],
  );
}

/**
 * Another frame's objects follow in interruptible work, because the image comes first. Edits are current at once: a
 * controlled field must not get an old value.
 */
function useListedRecords(): readonly SceneRecord[] {
  const now = useRecords();
  const later = useDeferredValue(now);
  const frame = useAnnotate((state) => state.frame);
  return useDeferredValue(frame) === frame ? now : later;
}

export function ObjectsTab() {
  const t = useText();
  const records = useListedRecords();
  const labels = useAnnotate((state) => state.labels);
  const { engine } = useSession();
  const selection = useSelection();
  const selected = useMemo(() => new Set(selection), [selection]);
  const chosen = useMemo(
    () => (selection.length > 1 ? records.filter(({ clientId }) => selected.has(clientId)) : []),
    [records, selection, selected],
  );
  const [order, setOrder] = useLocalStorage<ObjectOrder>({ key: 'limner.objects.order', defaultValue: 'newest' });
  const [grouping, setGrouping] = useLocalStorage<ObjectGrouping>({
    key: 'limner.objects.grouping',
    defaultValue: 'none',
  });
  const changeAll = useCallback(
    (name: 'locked' | 'hidden', value: boolean): void => {
      const ids = engine.scene
        .all()
        .filter(isListed)
        .map(({ clientId }) => clientId);
      engine.update(ids, { [name]: value }, 'display');
    },
    [engine],
  );
  const [typed, setTyped] = useState('');
  const text = useDeferredValue(typed.trim());
  const waitMessage = useSearchedWords(labels);
  const { records: shown, heads } = useMemo(() => {
    const names = new Map(labels.map((label) => [label.id, label.name]));
    const nameOf = (id: number): string => names.get(id) ?? '';
    return groupObjects(orderObjects(searchObjects(records, text, waitMessage), order, nameOf), grouping, nameOf);
  }, [records, order, labels, grouping, text, waitMessage]);
  const byId = useMemo(() => new Map(labels.map((label) => [label.id, label])), [labels]);
  const named = useMemo(() => canvasLabels(labels), [labels]);
  const numbers = useMemo(() => readingNumbers(records, named), [records, named]);
  const [edited, setEdited] = useState<ClientId | null>(null);
  const startEdit = (id: ClientId | undefined): boolean => {
    const record = shown.find(({ clientId }) => clientId === id);
    if (record === undefined || record.locked || regionText(record, named.get(record.labelId)) === undefined)
      return false;
    engine.selection.set([record.clientId]);
    setEdited(record.clientId);
    return true;
  };
  /** @param isNext True edits the text after it, too */
  const finishEdit = (id: ClientId, value: string | null, isNext: boolean): void => {
    if (value !== null) {
      engine.update([id], (target) => withAttribute(target, { name: textAttribute, value }, labels), 'attributes');
    }
    const place = shown.findIndex(({ clientId }) => clientId === id);
    if (!isNext || !startEdit(shown[place + 1]?.clientId)) setEdited((now) => (now === id ? null : now));
  };
  return (
    <>
      <SearchField text={typed} onText={setTyped} />
      <Head
        isEmpty={records.length === 0}
        anyOpen={records.some((record) => !record.locked)}
        anyShown={records.some((record) => !record.hidden)}
        onChange={changeAll}
        order={order}
        onOrder={setOrder}
        grouping={grouping}
        onGrouping={setGrouping}
      />
      <FilterBanner />
      <RecordList
        records={shown}
        testId="objects"
        {...(shown.length > 0 ? { role: 'list', 'aria-label': t('annotate.tabs.objects') } : {})}
        onKey={(event) => (event.key === 'F2' ? startEdit(selection.at(-1)) : listKey(event, shown, engine))}
        notes={
          shown.length === 0 && (
            <Text fz="sm" c="dimmed" p={16}>
              {records.length === 0
                ? t(engine.history.canUndo ? 'annotate.noObjects' : 'annotate.noObjectsYet')
                : t('objectList.nothing', { text })}
            </Text>
          )
        }
        renderRow={(record) => {
          const head = heads.get(record.clientId);
          return (
            <>
              {head !== undefined && <GroupHead group={head} />}
              <ObjectRow
                record={record}
                label={byId.get(record.labelId)}
                selected={selected.has(record.clientId)}
                number={numbers.get(record.clientId)}
                text={regionText(record, named.get(record.labelId))}
                isEdited={edited === record.clientId}
                onEdit={startEdit}
                onEdited={finishEdit}
                open={selection.length === 1 && record.clientId === selection[0]}
              />
            </>
          );
        }}
      />
      {chosen.length > 1 && <BatchPanel records={chosen} />}
    </>
  );
}
