/** Parsed query of an address, which may be any user input. */
export type Search = Record<string, unknown>;

const wholeNumber = (value: unknown, fallback: number): number => {
  const number = Number(value);
  return Number.isInteger(number) && number >= 0 ? number : fallback;
};

export const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';

/** Values have no quotes: only `true` and integers are more than text. */
export const readValue = (text: string): unknown => {
  if (text === 'true') return true;
  return /^(0|[1-9]\d{0,14})$/.test(text) ? Number(text) : text;
};

export const chosenTexts = <Name extends string>(
  search: Search,
  names: readonly Name[],
): Partial<Record<Name, string>> =>
  Object.fromEntries(
    names.map((name) => [name, textOf(search[name])]).filter(([, value]) => value !== ''),
    // The names come from the list.
  ) as Partial<Record<Name, string>>;

export const chosenNumber = <Name extends string>(search: Search, name: Name): Partial<Record<Name, number>> =>
  // It has only this name.
  (search[name] === undefined ? {} : { [name]: wholeNumber(search[name], 0) }) as Partial<Record<Name, number>>;

/** Page, search and filter of a list, so that going back restores it. */
export const listSearch = (
  search: Search,
): { page?: number; q?: string; sort?: string; filter?: string; view?: string } => {
  const page = wholeNumber(search['page'], 1);
  return { ...(page > 1 ? { page } : {}), ...chosenTexts(search, ['q', 'sort', 'filter', 'view']) };
};
