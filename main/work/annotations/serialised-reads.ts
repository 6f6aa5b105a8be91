import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { createChangeStamp } from '../../db/change-stamp.ts';
import type { Database } from '../../db/open.ts';
import { createSpool, type Spool } from '../../platform/spool.ts';

const defaultMaxBytes = 64 * 1024 * 1024;
/** A larger answer would push everything else out: it is not kept, and laid down in a file on its way. */
const maxShare = 0.25;

/** Up to this size a text: the server sends it in one piece with the headers. */
const maxTextBytes = 32 * 1024;

/** JSON on its way out: short as a text, long as bytes, and too long for memory from a file as it is taken. */
export type WrittenJson = string | Buffer | ReadableStream<Uint8Array<ArrayBuffer>>;

function joined(pieces: Iterable<string>, maxMemoryBytes: number, folder: string): WrittenJson {
  let parts: Buffer[] = [];
  let sizeBytes = 0;
  let spool: Spool | undefined;
  const add = (text: string) => {
    parts.push(Buffer.from(text));
    sizeBytes += parts.at(-1)?.byteLength ?? 0;
    if (sizeBytes <= maxMemoryBytes) return;
    spool ??= createSpool(folder);
    for (const part of parts) spool.write(part);
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
    spool?.drop();
    throw error;
  }
  return spool?.leave() ?? Buffer.concat(parts);
}

interface Entry {
  readonly json: string | Buffer;
  readonly sizeBytes: number;
  readonly jobIds: readonly number[];
}

export type SerialisedReads = ReturnType<typeof createSerialisedReads>;

/**
 * Answers that were written as JSON once and are given again while nothing that they could depend on has changed.
 * What changed is asked of SQLite itself: another connection's commit changes `data_version`, any row that this
 * connection writes changes `total_changes()`. Only writes made through `change` are known to concern no more than
 * their own jobs; after every other one nothing is given again.
 */
export function createSerialisedReads(database: Database, maxBytes = defaultMaxBytes) {
  const stamp = createChangeStamp(database);
  const folder = database.memory ? tmpdir() : dirname(database.name);
  /** The least recently used first. */
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
    /** Another number after everything that is not a change of annotations. */
    era(): number {
      forgetIfChanged();
      return era;
    },
    /** Outside transactions: what a rollback takes back must not be kept. */
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
     * Makes a change that concerns the annotations of no other jobs.
     * @param work is told the era, so that it need not ask
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
