import { createChangeStamp } from '../../db/change-stamp.ts';
import type { Database } from '../../db/open.ts';

const defaultMaxBytes = 64 * 1024 * 1024;
/** A larger answer would push everything else out. */
const maxShare = 0.25;

/** Up to this size a text: the server sends it in one piece with the headers. */
const maxTextBytes = 32 * 1024;

/** Texts in one piece; many as bytes, each of which is there twice for a moment at most. */
function joined(pieces: Iterable<string>): string | Buffer {
  const parts: Buffer[] = [];
  let text = '';
  for (const piece of pieces) {
    text += piece;
    if (text.length <= maxTextBytes) continue;
    parts.push(Buffer.from(text));
    text = '';
  }
  if (parts.length === 0 && Buffer.byteLength(text) <= maxTextBytes) return text;
  return Buffer.concat([...parts, Buffer.from(text)]);
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
  /** The least recently used first. */
  const entries = new Map<string, Entry>();
  let seen = stamp();
  let sizeBytes = 0;

  function remove(name: string, { sizeBytes: removed }: Entry): void {
    entries.delete(name);
    sizeBytes -= removed;
  }

  function forgetIfChanged(): void {
    const now = stamp();
    if (now.own === seen.own && now.foreign === seen.foreign) return;
    entries.clear();
    sizeBytes = 0;
    seen = now;
  }

  function keep(name: string, entry: Entry): void {
    if (entry.sizeBytes > maxBytes * maxShare) return;
    entries.set(name, entry);
    sizeBytes += entry.sizeBytes;
    for (const [oldName, old] of entries) {
      if (sizeBytes <= maxBytes) return;
      remove(oldName, old);
    }
  }

  return {
    /** Outside transactions: what a rollback takes back must not be kept. */
    read(name: string, jobIds: readonly number[], make: () => Iterable<string>): string | Buffer {
      forgetIfChanged();
      const known = entries.get(name);
      if (known) {
        entries.delete(name);
        entries.set(name, known);
        return known.json;
      }
      const json = joined(make());
      keep(name, { json, sizeBytes: Buffer.byteLength(json), jobIds });
      return json;
    },
    /** Makes a change that concerns the annotations of no other jobs. */
    change<Result>(jobIds: readonly number[], work: () => Result): Result {
      forgetIfChanged();
      try {
        return work();
      } finally {
        for (const [name, entry] of entries) {
          if (entry.jobIds.some((id) => jobIds.includes(id))) remove(name, entry);
        }
        seen = { ...seen, own: stamp().own };
      }
    },
  };
}
