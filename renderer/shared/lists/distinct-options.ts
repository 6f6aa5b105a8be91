/** Options of a select by id and name. Duplicate names get their ids. */
export function distinctOptions(entries: ReadonlyMap<string, string>): { value: string; label: string }[] {
  const names = [...entries.values()];
  const isTwin = (name: string): boolean => names.indexOf(name) !== names.lastIndexOf(name);
  return [...entries].map(([value, name]) => ({ value, label: isTwin(name) ? `${name} (#${value})` : name }));
}

/**
 * Name of an option without its id. A select that searches by the option's text would lose duplicates, and with them
 * the id.
 */
export const searchedName = (text: string): string => text.replace(/ \(#\d+\)$/, '');
