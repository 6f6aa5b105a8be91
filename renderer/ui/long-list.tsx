import { useVirtualizer } from '@tanstack/react-virtual';
import {
  Children,
  isValidElement,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type ComponentPropsWithoutRef,
  type Key,
  type ReactNode,
} from 'react';

const spacers = { div: 'div', ul: 'li', ol: 'li', tbody: 'tr' } as const;
type Host = keyof typeof spacers;

/** The element that scrolls the list: itself, its panel, its dialog or its page. */
function scrollerOf(list: HTMLElement | null): HTMLElement | null {
  for (let at = list; at !== null; at = at.parentElement) {
    if (/auto|scroll/.test(getComputedStyle(at).overflowY)) return at;
  }
  return null;
}

interface RowsProps extends Omit<ComponentPropsWithoutRef<'div'>, 'children'> {
  readonly as: Host;
  /** Estimated height of a row, in pixels; rows are measured when they are shown. */
  readonly rowHeight: number;
  /** Space between rows, in pixels. */
  readonly gap?: number | undefined;
}

interface VirtualRowsProps extends RowsProps {
  readonly count: number;
  readonly keyOf: (index: number) => Key;
  /** Renders one element. */
  readonly renderRow: (index: number) => ReactNode;
  /** Scrolls to this row whenever it changes; null for none. */
  readonly revealed?: Key | null;
}

/** Renders the visible rows of a list only, between two spacers. */
export function VirtualRows(props: VirtualRowsProps) {
  const { as, rowHeight, gap = 0, count, keyOf, renderRow, revealed = null, ...named } = props;
  // The hosts differ in no property that is used here.
  const [List, Spacer] = [as as 'div', spacers[as] as 'div'];
  const list = useRef<HTMLDivElement>(null);
  const scroller = useRef<HTMLElement>(null);
  const [scrollMargin, setScrollMargin] = useState(0);
  // oxlint-disable-next-line react/incompatible-library -- the compiler skips this component, as it should
  const virtual = useVirtualizer<HTMLElement, HTMLElement>({
    count,
    getScrollElement: () => (scroller.current ??= scrollerOf(list.current)),
    estimateSize: () => rowHeight,
    getItemKey: keyOf,
    overscan: 8,
    gap,
    scrollMargin,
  });
  const items = virtual.getVirtualItems();
  const total = virtual.getTotalSize();
  const above = (items[0]?.start ?? scrollMargin) - scrollMargin - gap;
  const below = total - ((items.at(-1)?.end ?? scrollMargin) - scrollMargin) - gap;
  useLayoutEffect(() => {
    if (list.current === null || scroller.current === null || list.current === scroller.current) return;
    const top = list.current.getBoundingClientRect().top - scroller.current.getBoundingClientRect().top;
    setScrollMargin(Math.round(top + scroller.current.scrollTop));
  }, [count, virtual.isScrolling]);
  useLayoutEffect(() => {
    for (const [at, { index }] of items.entries()) {
      const row = list.current?.children[at + (above > 0 ? 1 : 0)];
      if (!(row instanceof HTMLElement) || row.dataset['index'] === String(index)) continue;
      row.dataset['index'] = String(index);
      // Observed from now on, also for another height.
      virtual.measureElement(row);
    }
  });
  useEffect(() => {
    if (revealed === null) return;
    for (let index = 0; index < count; index += 1) {
      if (keyOf(index) === revealed) return virtual.scrollToIndex(index, { align: 'auto' });
    }
    // oxlint-disable-next-line react/exhaustive-deps -- only another revealed row scrolls the list
  }, [revealed]);
  return (
    <List ref={list} {...named}>
      {above > 0 && <Spacer aria-hidden style={{ height: above }} />}
      {items.map(({ index }) => index < count && renderRow(index))}
      {below > 0 && <Spacer aria-hidden style={{ height: below }} />}
    </List>
  );
}

/** Rows that are all rendered; more would make a page slow. */
const renderedAtOnce = 200;

interface LongListProps extends RowsProps {
  /** Makes a long list scroll in its own area instead of with its page. */
  readonly maxHeight?: string;
  readonly children: ReactNode;
}

/** Rows of a page, each an element with a key. Of a long list, only the visible ones are rendered. */
export function LongList({ maxHeight, children, ...props }: LongListProps) {
  const rows = Children.toArray(children);
  if (rows.length > renderedAtOnce) {
    const keyOf = (index: number): Key => (isValidElement(rows[index]) ? (rows[index].key ?? index) : index);
    const style = maxHeight === undefined ? undefined : ({ maxHeight, overflowY: 'auto' } as const);
    return (
      <VirtualRows {...props} style={style} count={rows.length} keyOf={keyOf} renderRow={(index) => rows[index]} />
    );
  }
  const { as, rowHeight: _height, gap: _gap, ...named } = props;
  const List = as as 'div';
  return <List {...named}>{children}</List>;
}
