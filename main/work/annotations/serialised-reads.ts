import { dirname } from 'node:path';
import { createChangeStamp } from '../../db/change-stamp.ts';
import type { Store } from '../../db/store.ts';
import { createTemporaryBuffer, type TemporaryBuffer } from '../../platform/temporary-buffer.ts';

const defaultMaxBytes = 64 * 1024 * 1024;
/** A larger response would evict all others: it is not cached but streamed through a file. */
const maxShare = 0.25;

/** Responses up to this size are strings: the server sends them in one packet with the headers. */
const maxTextBytes = 32 * 1024;

/** JSON to send: a string if short, a buffer if long, and a stream from a file if it does not fit into memory. */
export type WrittenJson = string | Buffer | ReadableStream<Uint8Array<ArrayBuffer>>;

function joined(pieces: Iterable<string>, maxMemoryBytes: number, folder: string): WrittenJson {
  let parts: Buffer[] = [];
  let sizeBytes = 0;
  let buffer: TemporaryBuffer | undefined;
  const add = (text: string) => {
    parts.push(Buffer.from(text));
    sizeBytes += parts.at(-1)?.byteLength ?? 0;
    if (sizeBytes <= maxMemoryBytes) return;
    buffer ??= createTemporaryBuffer(folder);
    for (const part of parts) buffer.write(part);
    parts = [];
  };
  let text = '';
  try {
    for (const piece of pieces) {
      text += piece;
      if (text.length <= maxTextBytes) continue;
      add(text);
      text = '';
    }
    if (sizeBytes === 0 && Buffer.byteLength(text) <= maxTextBytes) return text;
    add(text);
  } catch (error) {
    buffer?.drop();
    throw error;
  }
  return buffer?.leave() ?? Buffer.concat(parts);
}

interface Entry {
  readonly json: string | Buffer;
  readonly sizeBytes: number;
  readonly jobIds: readonly number[];
}

export type SerialisedReads = ReturnType<typeof createSerialisedReads>;

/**
 * Cache of serialised JSON responses, valid while no data that they depend on changed. SQLite reports changes: a commit
 * of another connection changes `data_version`, a row written by this connection changes `total_changes()`. Only writes
 * through `change` are known to affect no more than their jobs; any other write clears the cache.
 */
export function createSerialisedReads(database: Store, maxBytes = defaultMaxBytes) {
  const stamp = createChangeStamp(database);
  const folder = dirname(database.file);
  /** Least recently used first. */
  const entries = new Map<string, Entry>();
  let seen = stamp.whole();
  let sizeBytes = 0;
  let era = 0;

  function remove(name: string, { sizeBytes: removed }: Entry): void {
    entries.delete(name);
    sizeBytes -= removed;
  }

  function forgetIfChanged(): void {
    const now = stamp.whole();
    if (now.own === seen.own && now.foreign === seen.foreign) return;
    entries.clear();
    sizeBytes = 0;
    era += 1;
    seen = now;
  }

  function keep(name: string, entry: Entry): void {
    entries.set(name, entry);
    sizeBytes += entry.sizeBytes;
    for (const [oldName, old] of entries) {
      if (sizeBytes <= maxBytes) return;
      remove(oldName, old);
    }
  }

  return {
    /** A number that increases with every change other than those of annotations. */
    era(): number {
      forgetIfChanged();
      return era;
    },
    /** Call outside transactions: data that may be rolled back must not be cached. */
    read(name: string, jobIds: readonly number[], make: () => Iterable<string>): WrittenJson {
      forgetIfChanged();
      const known = entries.get(name);
      if (known) {
        entries.delete(name);
        entries.set(name, known);
        return known.json;
      }
      const json = joined(make(), maxBytes * maxShare, folder);
      if (typeof json !== 'string' && !Buffer.isBuffer(json)) return json;
      keep(name, { json, sizeBytes: Buffer.byteLength(json), jobIds });
      return json;
    },
    /**
     * Runs a change that affects only the annotations of these jobs.
     * @param work receives the era, which saves it a query
     */
    change<Result>(jobIds: readonly number[], work: (era: number) => Result): Result {
      forgetIfChanged();
      try {
        return work(era);
      } finally {
        for (const [name, entry] of entries) {
          if (entry.jobIds.some((id) => jobIds.includes(id))) remove(name, entry);
        }
        seen = { ...seen, own: stamp.own() };
      }
    },
  };
}
