import { type ComponentProps, type KeyboardEvent, type ReactNode } from 'react';
import type { SceneRecord } from '../../../canvas/types.ts';
import { VirtualRows } from '../../../ui/long-list.tsx';
import classes from './inspector/inspector.module.css';
import { useSelection } from './scene-hooks.ts';

interface ScrollRowsProps extends Omit<ComponentProps<typeof VirtualRows>, 'as' | 'rowHeight' | 'onKeyDown'> {
  readonly notes?: ReactNode;
  readonly testId?: string | undefined;
  readonly minHeight?: number | undefined;
  /** Makes the list focusable. Returns true for handled keys; the label then names the complete list. */
  readonly onKey?: ((event: KeyboardEvent<HTMLDivElement>) => boolean) | undefined;
}

/** A virtual list in its own scroll area. */
export function ScrollRows({ notes, testId, minHeight, onKey, renderRow, ...rows }: ScrollRowsProps) {
  const focusable = onKey !== undefined && rows.count > 0;
  return (
    <div
      className={classes.scroll}
      data-testid={testId}
      style={{ minHeight }}
      {...(focusable ? { tabIndex: 0, role: 'region', 'aria-label': rows['aria-label'] } : {})}
      onKeyDown={(event) => {
        if (event.target === event.currentTarget && onKey?.(event) === true) event.preventDefault();
      }}
    >
      {notes}
      <VirtualRows
        as="div"
        rowHeight={37}
        {...rows}
        renderRow={(index) => <div key={rows.keyOf(index)}>{renderRow(index)}</div>}
      />
    </div>
  );
}

interface RecordListProps extends Omit<ScrollRowsProps, 'count' | 'keyOf' | 'renderRow' | 'revealed'> {
  readonly records: readonly SceneRecord[];
  readonly renderRow: (record: SceneRecord, selection: readonly string[]) => ReactNode;
}

/** Objects of the frame; scrolls to the last selected one. */
export function RecordList({ records, renderRow, ...props }: RecordListProps) {
  const selection = useSelection();
  return (
    <ScrollRows
      {...props}
      count={records.length}
      keyOf={(index) => records[index]?.clientId ?? index}
      renderRow={(index) => renderRow(records[index]!, selection)}
      revealed={selection.at(-1) ?? null}
    />
  );
}
