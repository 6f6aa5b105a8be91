/** How what stands behind the `?` of an address is read. Whoever types it may type anything. */
export type Search = Record<string, unknown>;

const wholeNumber = (value: unknown, fallback: number): number => {
  const number = Number(value);
  return Number.isInteger(number) && number >= 0 ? number : fallback;
};

export const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';

/** Values stand there as they are, without quotes: only `true` and whole numbers are more than text. */
export const readValue = (text: string): unknown => {
  if (text === 'true') return true;
  return /^(0|[1-9]\d{0,14})$/.test(text) ? Number(text) : text;
};

/** The named texts that are there. */
export const chosenTexts = <Name extends string>(
  search: Search,
  names: readonly Name[],
): Partial<Record<Name, string>> =>
  Object.fromEntries(
    names.map((name) => [name, textOf(search[name])]).filter(([, value]) => value !== ''),
    // The names come from the list alone.
  ) as Partial<Record<Name, string>>;

/** The named number, where there is one. */
export const chosenNumber = <Name extends string>(search: Search, name: Name): Partial<Record<Name, number>> =>
  // The name is the only one.
  (search[name] === undefined ? {} : { [name]: wholeNumber(search[name], 0) }) as Partial<Record<Name, number>>;

/** Page, search and filter of a list, so that going back finds the list as it was. */
export const listSearch = (
  search: Search,
): { page?: number; q?: string; sort?: string; filter?: string; view?: string } => {
  const page = wholeNumber(search['page'], 1);
  return { ...(page > 1 ? { page } : {}), ...chosenTexts(search, ['q', 'sort', 'filter', 'view']) };
};
