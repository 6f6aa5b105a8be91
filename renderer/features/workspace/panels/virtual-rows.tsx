import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, type ComponentProps, type Key, type KeyboardEvent, type ReactNode } from 'react';
import type { SceneRecord } from '../../../canvas/types.ts';
import classes from './inspector/inspector.module.css';
import { useSelection } from './scene-hooks.ts';

const rowHeightPx = 37;

interface RowsProps extends Pick<ComponentProps<'div'>, 'role' | 'aria-label'> {
  readonly notes?: ReactNode;
  readonly testId?: string;
  readonly minHeight?: number;
  /** Makes the list focusable. Returns true for handled keys; the label then names the complete list. */
  readonly onKey?: (event: KeyboardEvent<HTMLDivElement>) => boolean;
}

interface VirtualRowsProps extends RowsProps {
  readonly count: number;
  readonly keyOf: (index: number) => Key;
  readonly renderRow: (index: number) => ReactNode;
  /** Scrolls to this row whenever it changes; null for none. */
  readonly revealed: Key | null;
}

/** Virtual list: renders only the visible rows. */
export function VirtualRows(props: VirtualRowsProps) {
  const { count, keyOf, renderRow, revealed, notes, testId, minHeight, onKey, ...named } = props;
  const scroll = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroll.current,
    estimateSize: () => rowHeightPx,
    getItemKey: keyOf,
    overscan: 8,
  });
  useEffect(() => {
    if (revealed === null) return;
    for (let index = 0; index < count; index += 1) {
      if (keyOf(index) === revealed) return virtual.scrollToIndex(index, { align: 'auto' });
    }
    // oxlint-disable-next-line react/exhaustive-deps -- only another revealed row scrolls the list
  }, [revealed]);
  const focusable = onKey !== undefined && count > 0;
  return (
    <div
      ref={scroll}
      className={classes.scroll}
      data-testid={testId}
      style={{ minHeight }}
      {...(focusable ? { tabIndex: 0, role: 'region', 'aria-label': named['aria-label'] } : {})}
      onKeyDown={(event) => {
        if (event.target === event.currentTarget && onKey?.(event) === true) event.preventDefault();
      }}
    >
      {notes}
      <div {...named} style={{ height: virtual.getTotalSize(), position: 'relative' }}>
        {virtual.getVirtualItems().map((item) => (
          <div
            key={item.key}
            ref={virtual.measureElement}
            data-index={item.index}
            style={{ position: 'absolute', insetInline: 0, transform: `translateY(${item.start}px)` }}
          >
            {item.index < count && renderRow(item.index)}
          </div>
        ))}
      </div>
    </div>
  );
}

interface RecordListProps extends RowsProps {
  readonly records: readonly SceneRecord[];
  readonly renderRow: (record: SceneRecord, selection: readonly string[]) => ReactNode;
}

/** Objects of the frame; scrolls to the last selected one. */
export function RecordList({ records, renderRow, ...props }: RecordListProps) {
  const selection = useSelection();
  return (
    <VirtualRows
      {...props}
      count={records.length}
      keyOf={(index) => records[index]?.clientId ?? index}
      renderRow={(index) => {
        const record = records[index];
        return record === undefined ? null : renderRow(record, selection);
      }}
      revealed={selection.at(-1) ?? null}
    />
  );
}
