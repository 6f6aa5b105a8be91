import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { useText } from '../../../i18n/index.ts';
import { Checkbox } from '../../../ui/kit.ts';
import { Cell, List, ListHead, Row, type Part } from '../../../ui/list.tsx';
import { notify } from '../../../ui/notify.ts';
import type { Column } from '../columns.tsx';
import classes from '../lists.module.css';
import { BulkBar, type BulkAction } from './bulk-bar.tsx';

export interface Selectable {
  readonly id: number | string;
}

export interface Selection<Item extends Selectable> {
  readonly items: readonly Item[];
  readonly has: (item: Item) => boolean;
  /** With Shift, applies `isOn` to the range from the last toggled row. */
  readonly toggle: (item: Item, isOn: boolean) => void;
  readonly choose: (items: readonly Item[]) => void;
  readonly clear: () => void;
}

function useSelection<Item extends Selectable>(shown: readonly Item[]): Selection<Item> {
  const [chosen, setChosen] = useState<ReadonlyMap<Item['id'], Item>>(new Map());
  const last = useRef<Item['id'] | null>(null);
  return {
    items: [...chosen.values()],
    has: ({ id }) => chosen.has(id),
    toggle(item, isOn) {
      const next = new Map(chosen);
      const from = isOn ? shown.findIndex(({ id }) => id === last.current) : -1;
      const to = shown.findIndex(({ id }) => id === item.id);
      if (from >= 0 && to >= 0) {
        for (const one of shown.slice(Math.min(from, to), Math.max(from, to) + 1)) next.set(one.id, one);
      } else if (!next.delete(item.id)) next.set(item.id, item);
      last.current = item.id;
      setChosen(next);
    },
    choose: (items) => setChosen(new Map([...chosen, ...items.map((one) => [one.id, one] as const)])),
    clear() {
      last.current = null;
      setChosen(new Map());
    },
  };
}

const isWriting = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest('textarea, select, [contenteditable], input:not([type="checkbox"])') !== null;

const isCovered = (): boolean =>
  [...document.querySelectorAll('[role="dialog"], [role="menu"], [role="listbox"]')].some((one) =>
    one.checkVisibility(),
  );

function useSelectionKeys(selectAll: () => void, clear: (() => void) | null): void {
  const now = useRef({ selectAll, clear });
  useEffect(() => {
    now.current = { selectAll, clear };
  });
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent): void => {
      if (event.defaultPrevented || isWriting(event.target) || isCovered()) return;
      if (event.key.toLowerCase() === 'a' && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        now.current.selectAll();
      }
      if (event.key === 'Escape') now.current.clear?.();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}

interface LinkProps {
  readonly className: string;
  readonly children: ReactNode;
  /** Lets key handlers find the rows. */
  readonly 'data-row-link': number | string;
}

interface ItemLook<Item extends Selectable> {
  readonly columns: readonly Column<Item>[];
  readonly nameOf: (item: Item) => string;
  readonly titleOf?: (item: Item) => string | undefined;
  readonly renderName?: (item: Item) => ReactNode;
  readonly renderLead?: (item: Item) => ReactNode;
  readonly renderBefore?: (item: Item) => ReactNode;
  readonly meta?: (item: Item) => readonly Part[];
  readonly renderNote?: (item: Item) => ReactNode;
  readonly mono?: boolean;
  readonly renderLink: (item: Item, row: LinkProps) => ReactNode;
  readonly renderTail?: (item: Item) => ReactNode;
}

interface ItemRowsProps<Item extends Selectable> extends ItemLook<Item> {
  readonly items: readonly Item[];
  readonly nameHead: string;
  readonly leadHead?: ReactNode;
  readonly tailHead?: ReactNode;
  readonly bulk: readonly BulkAction<Item>[];
  readonly total?: number;
  readonly loadAll?: () => Promise<readonly Item[]>;
  /** Action of Space on a row; by default it selects the row. */
  readonly onSpace?: (item: Item) => void;
}

function columnCell<Item>({ key, width, from, end = false }: Column<Item>, title: string | undefined, text: ReactNode) {
  return (
    <Cell key={key} width={width} from={from} end={end} title={title}>
      {text}
    </Cell>
  );
}

interface ItemRowProps<Item extends Selectable> {
  readonly item: Item;
  readonly look: ItemLook<Item>;
  readonly selection: Selection<Item>;
}

function ItemRow<Item extends Selectable>({ item, look, selection: { has, toggle } }: ItemRowProps<Item>) {
  const t = useText();
  const { columns, nameOf, titleOf = nameOf, renderName = nameOf } = look;
  return (
    <Row
      isSelected={has(item)}
      before={
        <>
          <span className={classes.select}>
            <Checkbox
              size="xs"
              aria-label={t('lists.select.one', { name: nameOf(item) })}
              checked={has(item)}
              onChange={() => undefined}
              onClick={({ shiftKey }) => toggle(item, shiftKey)}
            />
          </span>
          {look.renderBefore?.(item)}
        </>
      }
      lead={look.renderLead?.(item)}
      name={renderName(item)}
      title={titleOf(item)}
      mono={look.mono}
      meta={look.meta?.(item)}
      note={look.renderNote?.(item)}
      renderLink={(row) => look.renderLink(item, { ...row, 'data-row-link': item.id })}
      cells={columns.map((column) => columnCell(column, column.title?.(item), column.render(item)))}
    >
      {look.renderTail?.(item)}
    </Row>
  );
}

interface ItemHeadProps<Item extends Selectable> extends Pick<
  ItemRowsProps<Item>,
  'items' | 'columns' | 'nameHead' | 'leadHead' | 'tailHead'
> {
  readonly chosenHere: number;
  readonly selection: Selection<Item>;
}

function ItemHead<Item extends Selectable>(props: ItemHeadProps<Item>) {
  const { items, columns, nameHead, leadHead, tailHead, chosenHere, selection } = props;
  const t = useText();
  const isAll = chosenHere === items.length;
  return (
    <ListHead
      className={classes.head ?? ''}
      before={
        <span className={classes.select}>
          <Checkbox
            size="xs"
            aria-label={t('lists.select.page')}
            checked={isAll}
            indeterminate={chosenHere > 0 && !isAll}
            onChange={() => (isAll ? selection.clear() : selection.choose(items))}
          />
        </span>
      }
      {...(leadHead === undefined ? {} : { lead: leadHead })}
      name={nameHead}
      cells={columns.map((column) => columnCell(column, undefined, column.name))}
    >
      {tailHead}
    </ListHead>
  );
}

/** Keys of a row: arrows move, with Shift they select, X selects, Space runs `onSpace`. */
function rowKeys<Item extends Selectable>(
  items: readonly Item[],
  { has, toggle, choose }: Selection<Item>,
  onSpace: (item: Item) => void,
) {
  return (event: KeyboardEvent<HTMLUListElement>): void => {
    const { target, currentTarget, key, shiftKey } = event;
    if (!(target instanceof HTMLElement) || target.dataset['rowLink'] === undefined) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const links = [...currentTarget.querySelectorAll<HTMLElement>('[data-row-link]')];
    const at = links.indexOf(target);
    const here = items[at];
    if (here === undefined) return;
    const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) {
      const next = items[at + step];
      links[at + step]?.focus();
      if (shiftKey && next !== undefined) {
        if (has(here)) toggle(next, true);
        else choose([here, next]);
      }
    } else if (key.toLowerCase() === 'x') toggle(here, shiftKey);
    else if (key === ' ') onSpace(here);
    else return;
    event.preventDefault();
  };
}

export function ItemRows<Item extends Selectable>(props: ItemRowsProps<Item>) {
  const { items, bulk, total = items.length, loadAll, onSpace } = props;
  const t = useText();
  const selection = useSelection(items);
  const { items: chosen, has, toggle, choose, clear } = selection;
  const [isLoading, setLoading] = useState(false);
  const chosenHere = items.filter(has).length;
  useSelectionKeys(() => choose(items), chosen.length > 0 ? clear : null);
  const chooseAll = async (): Promise<void> => {
    if (loadAll === undefined) return;
    setLoading(true);
    try {
      choose(await loadAll());
    } catch (error) {
      notify.failure(t('lists.select.loadFailed'), error);
    } finally {
      setLoading(false);
    }
  };
  const hasMore = loadAll !== undefined && chosenHere === items.length && chosen.length < total;
  return (
    <div className={classes.rows} data-some={chosen.length > 0 || undefined}>
      <ItemHead {...props} chosenHere={chosenHere} selection={selection} />
      <List onKeyDown={rowKeys(items, selection, onSpace ?? ((item) => toggle(item, false)))}>
        {items.map((item) => (
          <ItemRow key={item.id} item={item} look={props} selection={selection} />
        ))}
      </List>
      {chosen.length > 0 && (
        <>
          <div className={classes.room} />
          <BulkBar
            items={chosen}
            actions={bulk}
            onClear={clear}
            all={hasMore ? { total, isLoading, choose: () => void chooseAll() } : null}
          />
        </>
      )}
    </div>
  );
}
