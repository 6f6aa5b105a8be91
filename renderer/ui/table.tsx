import type { ReactNode } from 'react';
import { LongList } from './long-list.tsx';
import classes from './table.module.css';

interface DataTableProps {
  readonly label: string;
  readonly columns: readonly string[];
  readonly numbers?: ReadonlySet<string>;
  readonly children: ReactNode;
}

export const DataTable = ({ label, columns, numbers, children }: DataTableProps) => (
  <div className={classes.frame} tabIndex={0} role="region" aria-label={label}>
    <table className={classes.table}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col" className={numbers?.has(column) === true ? classes.number : undefined}>
              {column}
            </th>
          ))}
          <td />
        </tr>
      </thead>
      <LongList as="tbody" rowHeight={41}>
        {children}
      </LongList>
    </table>
  </div>
);

export const NumberCell = ({ children }: { readonly children: ReactNode }) => (
  <td className={classes.number}>{children}</td>
);

export const RowActions = ({ children }: { readonly children: ReactNode }) => (
  <td className={classes.actions}>{children}</td>
);
