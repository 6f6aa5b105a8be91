import { openByteInput } from '../io/byte-input.ts';
import { type JsonArrayOptions, readJsonArrays } from '../io/json-array-reader.ts';
import type { Source } from '../io/source.ts';

/** Reads a JSON document of a source from its beginning to its end; `progress` gets the share that is read. */
export async function readJsonDocument(
  source: Source,
  path: string,
  { progress = () => undefined, ...handlers }: JsonArrayOptions,
): Promise<void> {
  const sizeBytes = source.entries.find((entry) => entry.path === path)?.sizeBytes ?? 0;
  const input = await openByteInput(source, path);
  try {
    await readJsonArrays(input, {
      ...handlers,
      progress: (bytes) => progress(sizeBytes > 0 ? Math.min(1, bytes / sizeBytes) : 1),
    });
    await input.finish();
  } finally {
    await input.close();
  }
}
