import { appendFile, rm } from 'node:fs/promises';
import { type ByteWriter, createByteWriter } from './byte-writer.ts';
import type { ZipWriter } from './zip-writer.ts';

const chunkBytes = 64 * 1024;

/**
 * Files that grow side by side while an archive is written, which can hold one open entry only: they wait beside the
 * archive and join it at the end.
 */
export interface SpillFiles {
  /** The writer of the entry with this name, made at the first call. */
  open(name: string): ByteWriter;
  /** Hands over what has become a chunk: memory stays at one chunk for each file. */
  drain(): Promise<void>;
  /** Adds all files, in the order in which they were opened. */
  addTo(zip: ZipWriter): Promise<void>;
}

/** Gives `use` such files beside `path`, and removes what they left there whatever happens. */
export async function withSpillFiles<Result>(
  path: string,
  use: (files: SpillFiles) => Promise<Result>,
): Promise<Result> {
  const files = new Map<string, { readonly path: string; readonly out: ByteWriter }>();
  const spill: SpillFiles = {
    open(name) {
      const present = files.get(name);
      if (present) return present.out;
      const file = `${path}.${files.size}.part`;
      // Opened for each chunk: many subsets may have several files each.
      const out = createByteWriter({ write: (chunk) => appendFile(file, chunk) }, chunkBytes);
      files.set(name, { path: file, out });
      return out;
    },
    async drain() {
      for (const { out } of files.values()) if (out.isFull) await out.flush();
    },
    async addTo(zip) {
      for (const [name, file] of files) {
        await file.out.flush();
        // An empty file was never made.
        await appendFile(file.path, '');
        await zip.addFile(name, file.path);
      }
    },
  };
  try {
    return await use(spill);
  } finally {
    for (const file of files.values()) await rm(file.path, { force: true });
  }
}
