import { appendFile, rm } from 'node:fs/promises';
import { type ByteWriter, createByteWriter } from './byte-writer.ts';
import type { ZipWriter } from './zip-writer.ts';

const chunkBytes = 64 * 1024;

/**
 * Files that grow in parallel while an archive is written. An archive can hold only one open entry, so they are written
 * beside it and added at the end.
 */
export interface SpillFiles {
  /** Writer of the entry with this name, created at the first call. */
  open(name: string): ByteWriter;
  /** Writes full chunks to disk, so that memory stays at one chunk per file. */
  drain(): Promise<void>;
  /** Adds all files in the order in which they were opened. */
  addTo(zip: ZipWriter): Promise<void>;
}

/** Passes spill files beside `path` to `use`, and always deletes them. */
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
      // Opened per chunk, because an export with many subsets would exceed the limit of open files.
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
        // Creates the file if nothing was written to it.
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
