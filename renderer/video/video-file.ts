import { CustomSource } from 'mediabunny';
import { send } from '../api/client.ts';

/** Block size of requests. A packet has a few kilobytes, so a request for each would cost more than its bytes. */
const blockBytes = 1024 * 1024;
const keptBlocks = 32;

/** Opens a video of the service, read in blocks. `close` aborts pending requests. */
export async function openVideoFile(path: string, signal: AbortSignal): Promise<CustomSource> {
  const blocks = new Map<number, Promise<Uint8Array>>();
  let sizeBytes = 0;

  async function fetchBlock(index: number): Promise<Uint8Array> {
    const start = index * blockBytes;
    const range = `bytes=${start}-${start + blockBytes - 1}`;
    const answer = await send(path, { signal, headers: { Range: range } });
    sizeBytes = Number(/\/(\d+)$/.exec(answer.headers.get('Content-Range') ?? '')?.[1] ?? Number.NaN);
    return new Uint8Array(await answer.arrayBuffer());
  }

  function block(index: number): Promise<Uint8Array> {
    const bytes = blocks.get(index) ?? fetchBlock(index);
    blocks.delete(index);
    blocks.set(index, bytes);
    bytes.catch(() => blocks.delete(index));
    const [oldest] = blocks.keys();
    if (blocks.size > keptBlocks && oldest !== undefined) blocks.delete(oldest);
    return bytes;
  }

  await block(0);
  return new CustomSource({
    getSize: () => sizeBytes,
    async read(start, end) {
      const bytes = new Uint8Array(end - start);
      for (let at = start; at < end;) {
        const index = Math.floor(at / blockBytes);
        const offset = at - index * blockBytes;
        const wanted = block(index);
        // Prefetches the next block.
        if ((index + 1) * blockBytes < sizeBytes) block(index + 1).catch(() => undefined);
        const part = (await wanted).subarray(offset, Math.min(blockBytes, offset + end - at));
        if (part.length === 0) throw new Error('The video file is shorter than announced.');
        bytes.set(part, at - start);
        at += part.length;
      }
      return bytes;
    },
    // The reader of the bytes gets the error; prefetched blocks are requested again.
    handleUnhandledError: () => undefined,
  });
}
