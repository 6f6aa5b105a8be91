/** Options of a drop-down by id and name. Names that occur twice get their ids. */
export function distinctOptions(entries: ReadonlyMap<string, string>): { value: string; label: string }[] {
  const names = [...entries.values()];
  const isTwin = (name: string): boolean => names.indexOf(name) !== names.lastIndexOf(name);
  return [...entries].map(([value, name]) => ({ value, label: isTwin(name) ? `${name} (#${value})` : name }));
}

/** The name that an option was found by. A drop-down that searches by its option's text would lose the twins of the option, and with them the id. */
export const searchedName = (text: string): string => text.replace(/ \(#\d+\)$/, '');
