import type { JsonRecord } from './json-document.ts';
import type { FormatReport } from './report.ts';

type Members = Readonly<Record<string, unknown>>;

/** Limit for names that are reported individually: a file can have any number of them. */
const maxNames = 200;
const maxNameLength = 80;

export function saysSomething(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === false) return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}

/**
 * Reports members of an object that its importer does not read.
 * @param known Members that are read or that follow from others.
 */
export function createUnreadMembers(report: FormatReport, known: ReadonlySet<string>) {
  const names = new Set<string>();
  return (record: Members, label: string): void => {
    for (const name of Object.keys(record)) {
      if (known.has(name) || !saysSomething(record[name])) continue;
      if (names.size < maxNames) names.add(name);
      const shown = names.has(name) ? `"${name.slice(0, maxNameLength)}"` : 'of other names';
      report.dropped('attribute', label, `A task has no field for the member ${shown}.`);
    }
  };
}

/** Limit for names of image members in one message. */
const maxListed = 20;

/** Like {@link createUnreadMembers}, for members of images: one warning per import lists all of them. */
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
      if (names.size > 0) report.warn(`These members of images were left out: ${[...names].join(', ')}.`);
    },
  };
}
