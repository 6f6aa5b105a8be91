import type { FormatReport } from './report.ts';

/** So many names are told one by one: files may have any number of them. */
const maxNames = 200;
const maxNameLength = 80;

/** Whether a member has a value at all. */
export function saysSomething(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === false) return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}

/**
 * Reports members of an object's record that its importer has no use for, so that nothing of a file goes unsaid.
 * @param known members that are read, or that follow from others
 */
export function createUnreadMembers(report: FormatReport, known: ReadonlySet<string>) {
  const names = new Set<string>();
  return (record: Readonly<Record<string, unknown>>, label: string): void => {
    for (const name of Object.keys(record)) {
      if (known.has(name) || !saysSomething(record[name])) continue;
      if (names.size < maxNames) names.add(name);
      const shown = names.has(name) ? `"${name.slice(0, maxNameLength)}"` : 'of further names';
      report.lost('attribute', label, `A task has no place for the member ${shown}.`);
    }
  };
}
