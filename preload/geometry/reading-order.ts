/** Regions whose first corners differ by less are on one line, in pixels. */
const sameLine = 10;

/** From top to bottom, and from left to right in a line, by the first corner of each item. */
export function inReadingOrder<Item>(items: readonly Item[], pointsOf: (item: Item) => readonly number[]): Item[] {
  const cornerOf = (item: Item): readonly [number, number] => {
    const [x = 0, y = 0] = pointsOf(item);
    return [x, y];
  };
  const sorted = items.toSorted((a, b) => cornerOf(a)[1] - cornerOf(b)[1] || cornerOf(a)[0] - cornerOf(b)[0]);
  for (let end = 1; end < sorted.length; end += 1) {
    for (let at = end; at > 0; at -= 1) {
      const [before, here] = [sorted[at - 1]!, sorted[at]!];
      const [[x0, y0], [x1, y1]] = [cornerOf(before), cornerOf(here)];
      if (Math.abs(y1 - y0) >= sameLine || x1 >= x0) break;
      [sorted[at - 1], sorted[at]] = [here, before];
    }
  }
  return sorted;
}
