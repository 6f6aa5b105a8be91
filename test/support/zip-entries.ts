import { buffer } from 'node:stream/consumers';
import { fromBufferPromise } from 'yauzl';

/** What is in a zip, by its names in their order, as a library of others reads it. */
export async function entriesOf(bytes: Buffer): Promise<Record<string, Buffer>> {
  const zip = await fromBufferPromise(bytes, { lazyEntries: true });
  const entries: Record<string, Buffer> = {};
  for await (const entry of zip.eachEntry())
    entries[entry.fileName] = await buffer(await zip.openReadStreamPromise(entry));
  return entries;
}
