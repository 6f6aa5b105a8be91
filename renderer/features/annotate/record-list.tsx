import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, type ComponentProps, type ReactNode } from 'react';
import type { SceneRecord } from '../../canvas/types.ts';
import { useSelection } from './session-context.ts';
import classes from './inspector/inspector.module.css';

const rowHeightPx = 37;

interface RecordListProps extends Pick<ComponentProps<'div'>, 'role' | 'aria-label'> {
  readonly records: readonly SceneRecord[];
  readonly renderRow: (record: SceneRecord, selection: readonly string[]) => ReactNode;
  /** Above the rows. */
  readonly notes?: ReactNode;
  readonly testId?: string;
  readonly minHeight?: number;
}

/** Objects of the frame: only the rows in view exist, and the one that was selected last comes into view. */
export function RecordList({ records, renderRow, notes, testId, minHeight, ...named }: RecordListProps) {
  const selection = useSelection();
  const scroll = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: records.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => rowHeightPx,
    getItemKey: (index) => records[index]?.clientId ?? index,
    overscan: 8,
  });
  const primary = selection.at(-1);
  useEffect(() => {
    const index = records.findIndex((record) => record.clientId === primary);
    if (index >= 0) virtual.scrollToIndex(index, { align: 'auto' });
    // oxlint-disable-next-line react/exhaustive-deps -- only another selection scrolls the list
  }, [primary]);
  return (
    <div ref={scroll} className={classes.scroll} data-testid={testId} style={{ minHeight }}>
      {notes}
      <div {...named} style={{ height: virtual.getTotalSize(), position: 'relative' }}>
        {virtual.getVirtualItems().map((item) => {
          const record = records[item.index];
          return record === undefined ? null : (
            <div
              key={item.key}
              ref={virtual.measureElement}
              data-index={item.index}
              style={{ position: 'absolute', insetInline: 0, transform: `translateY(${item.start}px)` }}
            >
              {renderRow(record, selection)}
            </div>
          );
        })}
      </div>
    </div>
  );
}
