import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createZipWriter } from '../../formats/io/zip-writer.ts';

const slugOf = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '') || 'group';

/** Packs tables into a ZIP with one CSV file each, with the same paths as CVAT. */
export async function packedTables(
  tables: readonly { readonly name: string; readonly text: string }[],
): Promise<Buffer> {
  const temporary = await mkdtemp(join(tmpdir(), 'limner-quality-'));
  try {
    const path = join(temporary, 'tables.zip');
    const zip = await createZipWriter(path);
    const used = new Set<string>();
    for (const { name, text } of tables) {
      const slug = slugOf(name);
      let entry = `groups/${slug}.csv`;
      for (let number = 2; used.has(entry); number += 1) entry = `groups/${slug}-${number}.csv`;
      used.add(entry);
      await zip.add(entry, text);
    }
    await zip.finish();
    return await readFile(path);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}
