import type { JsonRecord } from './json-document.ts';
import type { FormatReport } from './report.ts';

type Members = Readonly<Record<string, unknown>>;

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
  return (record: Members, label: string): void => {
    for (const name of Object.keys(record)) {
      if (known.has(name) || !saysSomething(record[name])) continue;
      if (names.size < maxNames) names.add(name);
      const shown = names.has(name) ? `"${name.slice(0, maxNameLength)}"` : 'of further names';
      report.lost('attribute', label, `A task has no place for the member ${shown}.`);
    }
  };
}

/** So many names of an image's members are listed in one sentence. */
const maxListed = 20;

/** The same for what a file says of an image beside its objects: one warning names all such members of an import. */
export function createUnreadOfImages(report: FormatReport, known: ReadonlySet<string>) {
  const names = new Set<string>();
  const noteAll = (members: Iterable<readonly [name: string, value: unknown]>): void => {
    for (const [name, value] of members)
      if (names.size < maxListed && !known.has(name) && value !== 0 && saysSomething(value))
        names.add(name.slice(0, maxNameLength));
  };
  return {
    note: (record: Members): void => noteAll(Object.entries(record)),
    noteDocument({ values, otherLists }: Pick<JsonRecord, 'values' | 'otherLists'>): void {
      noteAll(values);
      noteAll([...otherLists].map((name) => [name, true]));
    },
    finish(): void {
      if (names.size > 0)
        report.warn(`What the file says of images in these members was left out: ${[...names].join(', ')}.`);
    },
  };
}
