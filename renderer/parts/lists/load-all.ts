interface Found<Item> {
  readonly count: number;
  readonly results: readonly Item[];
}

/** So many are asked for at a time. */
export const portionSize = 500;

/** All things of a list, in portions. */
export async function loadAll<Item>(ask: (page: number) => Promise<Found<Item>>): Promise<readonly Item[]> {
  const all: Item[] = [];
  for (let page = 1; ; page += 1) {
    const { count, results } = await ask(page);
    all.push(...results);
    if (results.length === 0 || all.length >= count) return all;
  }
}
