import { dirname } from 'node:path';
import { createChangeStamp } from '../../db/change-stamp.ts';
import type { Store } from '../../db/store.ts';
import { atOnce, inPortions, type Portions } from '../../platform/portions.ts';
import { createTemporaryBuffer, type TemporaryBuffer } from '../../platform/temporary-buffer.ts';

const defaultMaxBytes = 64 * 1024 * 1024;
/** A larger response would evict all others: it is not cached but streamed through a file. */
const maxShare = 0.25;

/** Responses up to this size are strings: the server sends them in one packet with the headers. */
const maxTextBytes = 32 * 1024;

/** JSON to send: a string if short, a buffer if long, and a stream from a file if it does not fit into memory. */
export type WrittenJson = string | Buffer | ReadableStream<Uint8Array<ArrayBuffer>>;

/** Collects the pieces of a response, in memory or in a file. */
export function createCollector(maxMemoryBytes: number, folder: string) {
  let parts: Buffer[] = [];
  let sizeBytes = 0;
  let buffer: TemporaryBuffer | undefined;
  let text = '';
  function flush(): void {
    parts.push(Buffer.from(text));
    text = '';
    sizeBytes += parts.at(-1)?.byteLength ?? 0;
    if (sizeBytes <= maxMemoryBytes) return;
    buffer ??= createTemporaryBuffer(folder);
    for (const part of parts) buffer.write(part);
    parts = [];
  }
  return {
    add(piece: string): void {
      text += piece;
      if (text.length > maxTextBytes) flush();
    },
    end(): WrittenJson {
      if (sizeBytes === 0 && Buffer.byteLength(text) <= maxTextBytes) return text;
      flush();
      return buffer?.leave() ?? Buffer.concat(parts);
    },
    drop: (): void => buffer?.drop(),
  };
}

function* joined(pieces: Iterable<string>, maxMemoryBytes: number, folder: string): Portions<WrittenJson> {
  const collector = createCollector(maxMemoryBytes, folder);
  let isEnded = false;
  try {
    for (const piece of pieces) {
      collector.add(piece);
      yield;
    }
    const json = collector.end();
    isEnded = true;
    return json;
  } finally {
    if (!isEnded) collector.drop();
  }
}

interface Entry {
  readonly json: string | Buffer;
  readonly sizeBytes: number;
  readonly jobIds: readonly number[];
}

/** A read in portions. Its result is not cached if the data changed since it began. */
interface Running {
  readonly jobIds: readonly number[];
  isCurrent: boolean;
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
  const running = new Set<Running>();
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
    for (const one of running) one.isCurrent = false;
    sizeBytes = 0;
    era += 1;
    seen = now;
  }

  function keep(name: string, jobIds: readonly number[], json: WrittenJson): void {
    if (typeof json !== 'string' && !Buffer.isBuffer(json)) return;
    const earlier = entries.get(name);
    if (earlier) remove(name, earlier);
    const entry = { json, sizeBytes: Buffer.byteLength(json), jobIds };
    entries.set(name, entry);
    sizeBytes += entry.sizeBytes;
    for (const [oldName, old] of entries) {
      if (sizeBytes <= maxBytes) return;
      remove(oldName, old);
    }
  }

  /** The cached response, if nothing has changed. */
  function find(name: string): WrittenJson | undefined {
    forgetIfChanged();
    const known = entries.get(name);
    if (!known) return undefined;
    entries.delete(name);
    entries.set(name, known);
    return known.json;
  }

  return {
    /** A number that increases with every change other than those of annotations. */
    era(): number {
      forgetIfChanged();
      return era;
    },
    find,
    /** Call outside transactions: data that may be rolled back must not be cached. */
    read(name: string, jobIds: readonly number[], make: () => Iterable<string>): WrittenJson {
      const known = find(name);
      if (known !== undefined) return known;
      const json = atOnce(joined(make(), maxBytes * maxShare, folder));
      keep(name, jobIds, json);
      return json;
    },
    /** The same, but other requests run after each piece. `make` reads the data as of its first piece. */
    async readInPortions(
      name: string,
      jobIds: readonly number[],
      make: () => Iterable<string>,
      signal?: AbortSignal,
    ): Promise<WrittenJson> {
      forgetIfChanged();
      const own: Running = { jobIds, isCurrent: true };
      running.add(own);
      try {
        const json = await inPortions(joined(make(), maxBytes * maxShare, folder), signal);
        forgetIfChanged();
        if (own.isCurrent) keep(name, jobIds, json);
        return json;
      } finally {
        running.delete(own);
      }
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
        const changed = new Set(jobIds);
        const isChanged = ({ jobIds: ids }: Pick<Entry, 'jobIds'>) => ids.some((id) => changed.has(id));
        for (const [name, entry] of entries) if (isChanged(entry)) remove(name, entry);
        for (const one of running) one.isCurrent &&= !isChanged(one);
        seen = { ...seen, own: stamp.own() };
      }
    },
  };
}
