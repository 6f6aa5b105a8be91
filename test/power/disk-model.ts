import { below, pick, type Random } from '../support/random.ts';
import type { DiskEvent } from './disk-log.ts';

/** Effects of a power cut on writes without a sync. */
const fileFates = ['lost', 'kept', 'some pages', 'torn pages', 'only sizes'] as const;
/** Effects on names of files and folders that were created, renamed, linked or removed without a sync. */
const nameFates = ['lost', 'kept', 'some', 'the first ones'] as const;

export interface LabelOutcome {
  readonly files: (typeof fileFates)[number];
  readonly names: (typeof nameFates)[number];
}

export const randomFate = (random: Random): LabelOutcome => ({
  files: pick(random, fileFates),
  names: pick(random, nameFates),
});

const pageBytes = 4096;
/** A disk writes a sector completely or not at all. */
const sectorBytes = 512;

type Change = { readonly offset: number; readonly bytes: Buffer } | { readonly sizeBytes: number };

/** A growing buffer that is not copied at each write. */
class Content {
  private memory: Buffer;
  length: number;

  constructor(bytes: Buffer = Buffer.alloc(0)) {
    this.memory = bytes;
    this.length = bytes.length;
  }
  resize(length: number): void {
    if (length > this.memory.length) {
      const larger = Buffer.alloc(Math.max(length, this.memory.length * 2));
      this.memory.copy(larger, 0, 0, this.length);
      this.memory = larger;
    }
    if (length < this.length) this.memory.fill(0, length, this.length);
    this.length = length;
  }
  write(offset: number, bytes: Buffer): void {
    if (offset + bytes.length > this.length) this.resize(offset + bytes.length);
    bytes.copy(this.memory, offset);
  }
  apply(change: Change): void {
    if ('sizeBytes' in change) this.resize(change.sizeBytes);
    else this.write(change.offset, change.bytes);
  }
  copy(): Content {
    return new Content(Buffer.from(this.bytes()));
  }
  bytes(): Buffer {
    return this.memory.subarray(0, this.length);
  }
}

class DiskFile {
  private readonly durable = new Content();
  private pending: Change[] = [];

  change(change: Change): void {
    this.pending.push(change);
  }
  sync(): void {
    for (const change of this.pending) this.durable.apply(change);
    this.pending = [];
  }
  whole(): Buffer {
    const content = this.durable.copy();
    for (const change of this.pending) content.apply(change);
    return content.bytes();
  }
  afterCut(fate: LabelOutcome['files'], random: Random): Buffer {
    if (this.pending.length === 0 || fate === 'lost') return this.durable.bytes();
    if (fate === 'kept') return this.whole();
    const content = this.durable.copy();
    for (const change of this.pending) {
      if ('sizeBytes' in change) {
        if (fate === 'only sizes' || random() < 0.5) content.apply(change);
      } else if (fate === 'only sizes') {
        content.resize(Math.max(content.length, change.offset + change.bytes.length));
      } else {
        for (const [offset, bytes] of pagesOf(change.offset, change.bytes)) {
          if (random() < 0.5) continue;
          const isTorn = fate === 'torn pages' && random() < 0.5;
          content.write(offset, isTorn ? bytes.subarray(0, tornLength(offset, bytes.length, random)) : bytes);
        }
      }
    }
    return content.bytes();
  }
}

function* pagesOf(offset: number, bytes: Buffer): Generator<[number, Buffer]> {
  for (let done = 0; done < bytes.length;) {
    const size = Math.min(pageBytes - ((offset + done) % pageBytes), bytes.length - done);
    yield [offset + done, bytes.subarray(done, done + size)];
    done += size;
  }
}

function tornLength(offset: number, length: number, random: Random): number {
  const sectors = Math.ceil(((offset % sectorBytes) + length) / sectorBytes);
  return Math.min(length, Math.max(0, below(random, sectors) * sectorBytes - (offset % sectorBytes)));
}

class DiskFolder {
  readonly durable = new Map<string, DiskNode>();
  readonly seen = new Map<string, DiskNode>();
}
type DiskNode = DiskFile | DiskFolder;

interface Entry {
  readonly folder: DiskFolder;
  readonly name: string;
  /** Null if the name was removed. */
  readonly node: DiskNode | null;
}

export type Remains = ReadonlyMap<string, Buffer>;

/**
 * A disk with the weakest guarantees that POSIX allows: content is durable after a sync of the file, a name after a
 * sync of its folder. A rename is atomic, as in every journalling file system; steps are lost one by one.
 */
export class DiskModel {
  private readonly root = new DiskFolder();
  private readonly files = new Map<number, DiskFile>();
  /** Name changes without a sync, in order. */
  private pending: Entry[][] = [];

  apply(event: DiskEvent): void {
    switch (event.kind) {
      case 'create': {
        const file = new DiskFile();
        this.files.set(event.inode, file);
        return this.step([this.entry(event.path, file)]);
      }
      case 'write':
        return this.files.get(event.inode)?.change({ offset: event.offset, bytes: event.bytes });
      case 'truncate':
        return this.files.get(event.inode)?.change({ sizeBytes: event.sizeBytes });
      case 'sync file':
        return this.files.get(event.inode)?.sync();
      case 'sync folder':
        return this.syncFolder(this.node(event.path));
      case 'sync all':
        for (const file of this.files.values()) file.sync();
        for (const step of this.pending) settle(step);
        this.pending = [];
        return;
      case 'make folder':
        return this.step([this.entry(event.path, new DiskFolder())]);
      case 'remove':
        return this.step([this.entry(event.path, null)]);
      case 'rename': {
        const node = this.node(event.from);
        return this.step([this.entry(event.from, null), this.entry(event.to, node)]);
      }
      case 'link':
        return this.step([this.entry(event.to, this.node(event.from))]);
      case 'sent':
    }
  }

  whole(): Remains {
    return collect(
      this.root,
      ({ seen }) => seen,
      (file) => file.whole(),
    );
  }

  afterCut(fate: LabelOutcome, random: Random): Remains {
    const firstOnes = below(random, this.pending.length + 1);
    const kept = this.pending.filter((_step, index) => {
      if (fate.names === 'some') return random() < 0.5;
      return fate.names === 'kept' || (fate.names === 'the first ones' && index < firstOnes);
    });
    const names = new Map<DiskFolder, Map<string, DiskNode>>();
    for (const { folder, name, node } of kept.flat()) {
      const entries = names.get(folder) ?? new Map(folder.durable);
      names.set(folder, entries);
      if (node) entries.set(name, node);
      else entries.delete(name);
    }
    return collect(
      this.root,
      (folder) => names.get(folder) ?? folder.durable,
      (file) => file.afterCut(fate.files, random),
    );
  }

  private node(path: string): DiskNode {
    let node: DiskNode = this.root;
    for (const name of path === '' ? [] : path.split('/')) {
      const next: DiskNode | undefined = node instanceof DiskFolder ? node.seen.get(name) : undefined;
      if (!next) throw new Error(`The log of the disk speaks of ${path}, which nobody made.`);
      node = next;
    }
    return node;
  }
  private entry(path: string, node: DiskNode | null): Entry {
    const slash = path.lastIndexOf('/');
    const folder = this.node(path.slice(0, Math.max(0, slash)));
    if (!(folder instanceof DiskFolder)) throw new Error(`The log of the disk has a file where a folder is: ${path}.`);
    return { folder, name: path.slice(slash + 1), node };
  }
  private step(entries: Entry[]): void {
    this.pending.push(entries);
    for (const { folder, name, node } of entries) {
      if (node) folder.seen.set(name, node);
      else folder.seen.delete(name);
    }
  }
  /** A sync of a folder also makes the steps durable that its own depend on. */
  private syncFolder(folder: DiskNode): void {
    const names = new Map<DiskFolder, Set<string>>();
    const settled = new Set<Entry[]>();
    for (const step of this.pending.toReversed()) {
      const isDue = step.some((entry) => entry.folder === folder || names.get(entry.folder)?.has(entry.name));
      if (!isDue) continue;
      settled.add(step);
      for (const entry of step) names.set(entry.folder, (names.get(entry.folder) ?? new Set()).add(entry.name));
    }
    for (const step of settled.size === 0 ? [] : this.pending) if (settled.has(step)) settle(step);
    if (settled.size > 0) this.pending = this.pending.filter((step) => !settled.has(step));
  }
}

function settle(step: readonly Entry[]): void {
  for (const { folder, name, node } of step) {
    if (node) folder.durable.set(name, node);
    else folder.durable.delete(name);
  }
}

function collect(
  root: DiskFolder,
  namesOf: (folder: DiskFolder) => ReadonlyMap<string, DiskNode>,
  bytesOf: (file: DiskFile) => Buffer,
): Remains {
  const found = new Map<string, Buffer>();
  const contents = new Map<DiskFile, Buffer>();
  const visit = (folder: DiskFolder, prefix: string) => {
    for (const [name, node] of namesOf(folder)) {
      if (node instanceof DiskFolder) visit(node, `${prefix}${name}/`);
      else {
        const bytes = contents.get(node) ?? bytesOf(node);
        contents.set(node, bytes);
        found.set(prefix + name, bytes);
      }
    }
  };
  visit(root, '');
  return found;
}
