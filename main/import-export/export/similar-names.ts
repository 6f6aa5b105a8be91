import type { FormatReport } from '../../formats/kit/report.ts';
import { listZip } from '../../formats/io/zip-directory.ts';

const maxNamed = 3;
/** Limner wrote the file, so no limits are needed. */
const unbounded = {
  maxEntries: Number.MAX_SAFE_INTEGER,
  maxTotalBytes: Number.MAX_SAFE_INTEGER,
  maxRatio: Number.MAX_SAFE_INTEGER,
  ratioExemptBytes: 0,
  maxReadBytes: 0,
};

/** Warns of names in an archive that are equal on Windows and macOS, where unpacking overwrites the first file. */
export async function warnOfSimilarNames(path: string, report: Pick<FormatReport, 'warn'>): Promise<void> {
  // Formats that are not archives have no names.
  const listing = await listZip({ path, name: 'the archive' }, unbounded).catch(() => undefined);
  const known = new Map<string, string>();
  const alike: string[] = [];
  for (const name of listing?.items.keys() ?? []) {
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
