import type { KeyboardEvent, ReactNode } from 'react';
import { UnstyledButton } from '../../../ui/kit.ts';
import classes from './split-list.module.css';

interface SplitListProps<Item> {
  readonly items: readonly Item[];
  readonly label: string;
  readonly keyOf: (item: Item) => number;
  readonly selected: number | null;
  readonly onSelect: (key: number) => void;
  readonly renderRow: (item: Item) => ReactNode;
  readonly detail: ReactNode;
  readonly footer?: ReactNode;
}

/** A list on the left and the details of the selected item on the right. Arrow keys move through the list. */
export function SplitList<Item>(props: SplitListProps<Item>) {
  const { items, label, keyOf, selected, onSelect, renderRow, detail, footer } = props;
  const at = items.findIndex((item) => keyOf(item) === selected);
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    const next = items[at + step];
    if (step === 0 || next === undefined) return;
    event.preventDefault();
    onSelect(keyOf(next));
    event.currentTarget.querySelectorAll<HTMLElement>('[data-row]')[at + step]?.focus();
  };
  return (
    <div className={classes.split}>
      <div>
        <div className={classes.list} role="listbox" aria-label={label} tabIndex={-1} onKeyDown={onKeyDown}>
          {items.map((item, index) => {
            const key = keyOf(item);
            const isSelected = key === selected;
            return (
              <UnstyledButton
                key={key}
                data-row
                role="option"
                aria-selected={isSelected}
                tabIndex={isSelected || (at < 0 && index === 0) ? 0 : -1}
                className={classes.row}
                onClick={() => onSelect(key)}
              >
                {renderRow(item)}
              </UnstyledButton>
            );
          })}
        </div>
        {footer}
      </div>
      <div className={classes.detail}>{detail}</div>
    </div>
  );
}
