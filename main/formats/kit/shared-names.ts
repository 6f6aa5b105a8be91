import type { FormatReport } from './report.ts';

const listed = 10;

/** Warns if several classes of a file have one name, because their objects get one label. */
export function warnOfSharedNames(
  report: FormatReport,
  file: string,
  classes: Iterable<readonly [id: string | number, name: string]>,
): void {
  const ids = new Map<string, (string | number)[]>();
  for (const [id, stated] of classes) {
    const name = stated.trim();
    const known = ids.get(name);
    if (known) known.push(id);
    else if (name !== '') ids.set(name, [id]);
  }
  const shared = [...ids].filter(([, own]) => own.length > 1);
  if (shared.length === 0) return;
  const names = shared
    .slice(0, listed)
    .map(([name, own]) => `"${name.slice(0, 80)}" (${own.slice(0, listed).join(', ')})`);
  const more = shared.length > listed ? ` and ${shared.length - listed} more` : '';
  report.warn(`${file} has several classes with one name, whose objects get one label: ${names.join(', ')}${more}.`);
}
