import { buffer } from 'node:stream/consumers';
import { fromBufferPromise } from 'yauzl';

/** Entries of a zip by name in order, read by an independent library. */
export async function entriesOf(bytes: Buffer): Promise<Record<string, Buffer>> {
  const zip = await fromBufferPromise(bytes, { lazyEntries: true });
  const entries: Record<string, Buffer> = {};
  for await (const entry of zip.eachEntry())
    entries[entry.fileName] = await buffer(await zip.openReadStreamPromise(entry));
  return entries;
}
