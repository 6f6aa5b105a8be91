import { useVirtualizer } from '@tanstack/react-virtual';
import { Fragment, useRef, type Key, type ReactNode } from 'react';

/** Rows that a page renders at once: thousands of fields would make it slow. */
const renderedAtOnce = 200;

interface LongListProps<Item> {
  readonly items: readonly Item[];
  readonly keyOf: (item: Item) => Key;
  readonly children: (item: Item) => ReactNode;
  /** Estimated height of a row, in pixels; rows are measured when they are shown. */
  readonly rowHeight: number;
}

/** A list as part of a page. A long one scrolls in its own area and renders only the visible rows. */
export function LongList<Item>({ items, keyOf, children, rowHeight }: LongListProps<Item>) {
  if (items.length > renderedAtOnce) return <VirtualList {...{ items, keyOf, children, rowHeight }} />;
  return (
    <div role="list">
      {items.map((item) => (
        <Fragment key={keyOf(item)}>{children(item)}</Fragment>
      ))}
    </div>
  );
}

function VirtualList<Item>({ items, keyOf, children, rowHeight }: LongListProps<Item>) {
  const scroll = useRef<HTMLDivElement>(null);
  // oxlint-disable-next-line react/incompatible-library -- the compiler skips this component, as it should
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => keyOf(items[index]!),
    overscan: 8,
  });
  return (
    <div ref={scroll} style={{ maxHeight: '60vh', overflowY: 'auto' }}>
      <div role="list" style={{ height: virtual.getTotalSize(), position: 'relative' }}>
        {virtual.getVirtualItems().map((row) => (
          <div
            key={row.key}
            ref={virtual.measureElement}
            data-index={row.index}
            style={{ position: 'absolute', insetInline: 0, transform: `translateY(${row.start}px)` }}
          >
            {children(items[row.index]!)}
          </div>
        ))}
      </div>
    </div>
  );
}
