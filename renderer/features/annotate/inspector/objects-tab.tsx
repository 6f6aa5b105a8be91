import { IconEye, IconEyeOff, IconLock, IconLockOpen } from '@tabler/icons-react';
import { useMemo } from 'react';
import type { SceneRecord } from '../../../canvas/types.ts';
import { useText } from '../../../i18n/index.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Select, useLocalStorage } from '../../../ui/kit.ts';
import { keepFocus } from '../action-list.ts';
import { FilterBanner } from '../find/filter/filter-button.tsx';
import { BatchPanel } from '../editing/batch-panel.tsx';
import { useAnnotate, useRecords, useSelection, useSession, useShortcuts } from '../session-context.ts';
import classes from './inspector.module.css';
import { objectOrders, orderObjects, type ObjectOrder } from './object-order.ts';
import { ObjectRow } from './object-row.tsx';
import { RecordList } from '../record-list.tsx';

interface HeadProps {
  readonly records: readonly SceneRecord[];
  readonly order: ObjectOrder;
  readonly onOrder: (order: ObjectOrder) => void;
}

const Head = ({ records, order, onOrder }: HeadProps) => {
  const t = useText();
  const { engine } = useSession();
  const keyOf = useShortcuts();
  const ids = records.map((record) => record.clientId);
  const anyOpen = records.some((record) => !record.locked);
  const anyShown = records.some((record) => !record.hidden);
  return (
    <div className={classes.head} onMouseDown={keepFocus}>
      <Select
        size="xs"
        variant="unstyled"
        w={144}
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
        disabled={records.length === 0}
        icon={anyOpen ? <IconLockOpen size={16} stroke={1.5} /> : <IconLock size={16} stroke={1.5} />}
        onClick={() => engine.update(ids, { locked: anyOpen }, 'display')}
      />
      <IconButton
        label={anyShown ? t('annotate.hideAll') : t('annotate.showAll')}
        shortcut={keyOf('object.hideAll')}
        disabled={records.length === 0}
        icon={anyShown ? <IconEye size={16} stroke={1.5} /> : <IconEyeOff size={16} stroke={1.5} />}
        onClick={() => engine.update(ids, { hidden: anyShown }, 'display')}
      />
    </div>
  );
};

/** The objects of the frame. */
export function ObjectsTab() {
  const t = useText();
  const records = useRecords();
  const labels = useAnnotate((state) => state.labels);
  const selection = useSelection();
  const chosen = useMemo(() => {
    const byId = new Map(records.map((record) => [record.clientId, record]));
    return selection.flatMap((id) => byId.get(id) ?? []);
  }, [records, selection]);
  const [order, setOrder] = useLocalStorage<ObjectOrder>({ key: 'limner.objects.order', defaultValue: 'newest' });
  const shown = useMemo(() => {
    const names = new Map(labels.map((label) => [label.id, label.name]));
    return orderObjects(records, order, (id) => names.get(id) ?? '');
  }, [records, order, labels]);
  return (
    <>
      <Head records={records} order={order} onOrder={setOrder} />
      <FilterBanner />
      <RecordList
        records={shown}
        testId="objects"
        {...(shown.length > 0 ? { role: 'list', 'aria-label': t('annotate.tabs.objects') } : {})}
        notes={shown.length === 0 && <div className={classes.note}>{t('annotate.noObjects')}</div>}
        renderRow={(record) => (
          <ObjectRow
            record={record}
            label={labels.find((label) => label.id === record.labelId)}
            selected={selection.includes(record.clientId)}
            open={selection.length === 1 && record.clientId === selection[0]}
          />
        )}
      />
      {chosen.length > 1 && <BatchPanel records={chosen} />}
    </>
  );
}
