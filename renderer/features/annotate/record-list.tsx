import type { ReactNode } from 'react';
import type { SceneRecord } from '../../canvas/types.ts';
import { useSelection } from './session-context.ts';
import { VirtualRows, type RowsProps } from './virtual-rows.tsx';

interface RecordListProps extends RowsProps {
  readonly records: readonly SceneRecord[];
  readonly renderRow: (record: SceneRecord, selection: readonly string[]) => ReactNode;
}

/** Objects of the frame; the one that was selected last comes into view. */
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
