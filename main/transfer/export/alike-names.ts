import type { FormatReport } from '../../formats/kit/report.ts';
import { listZip } from '../../formats/io/zip-directory.ts';

const maxNamed = 3;
/** It was written here: its size needs no bounds. */
const unbounded = {
  maxEntries: Number.MAX_SAFE_INTEGER,
  maxTotalBytes: Number.MAX_SAFE_INTEGER,
  maxRatio: Number.MAX_SAFE_INTEGER,
  ratioExemptBytes: 0,
  maxReadBytes: 0,
};

/** Says which names of an archive Windows and macOS would take for one: unpacked there, the second overwrites the first. */
export async function tellAlikeNames(path: string, report: Pick<FormatReport, 'warn'>): Promise<void> {
  // Formats of other kinds than archives have no names in them.
  const items = await listZip({ path, name: 'the archive' }, unbounded).catch(() => new Map<string, unknown>());
  const known = new Map<string, string>();
  const alike: string[] = [];
  for (const name of items.keys()) {
    const key = name.normalize('NFC').toLowerCase();
    const other = known.get(key);
    if (other === undefined) known.set(key, name);
    else alike.push(`${other} and ${name}`);
  }
  if (alike.length === 0) return;
  const more = alike.length > maxNamed ? '; …' : '';
  report.warn(
    `Names in the archive differ by case only (${alike.slice(0, maxNamed).join('; ')}${more}). Limner reads them; do not unpack it on Windows or macOS, where the second would overwrite the first.`,
  );
}
