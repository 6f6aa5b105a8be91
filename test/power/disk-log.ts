import { readFileSync, statSync } from 'node:fs';

/** A call that `recorder.c` recorded. Paths are relative to the folder; the folder itself is the empty path. */
export type DiskEvent =
  | { readonly kind: 'create'; readonly inode: number; readonly path: string }
  | { readonly kind: 'write'; readonly inode: number; readonly offset: number; readonly bytes: Buffer }
  | { readonly kind: 'truncate'; readonly inode: number; readonly sizeBytes: number }
  | { readonly kind: 'sync file'; readonly inode: number }
  | { readonly kind: 'sync folder'; readonly path: string }
  | { readonly kind: 'sync all' }
  | { readonly kind: 'make folder' | 'remove'; readonly path: string }
  | { readonly kind: 'rename' | 'link'; readonly from: string; readonly to: string }
  /** Bytes were sent over a socket: the earliest moment at which an answer can have arrived. */
  | { readonly kind: 'sent' };

export interface Logged {
  readonly end: number;
  readonly event: DiskEvent;
}

const headerBytes = 32;

export const logPosition = (file: string): number => statSync(file).size;

export function readDiskLog(file: string): Logged[] {
  const log = readFileSync(file);
  const events: Logged[] = [];
  for (let position = 0; position < log.length;) {
    const first = log.readUInt32LE(position + 24);
    const second = log.readUInt32LE(position + 28);
    const start = position + headerBytes;
    const end = start + first + second;
    const event = eventOf(
      log.subarray(position, start),
      log.subarray(start, start + first),
      log.subarray(start + first, end),
    );
    events.push({ end, event });
    position = end;
  }
  return events;
}

function eventOf(header: Buffer, first: Buffer, second: Buffer): DiskEvent {
  const inode = Number(header.readBigUInt64LE(8));
  const offset = Number(header.readBigUInt64LE(16));
  const path = first.toString('utf8');
  const kind = String.fromCharCode(header.readUInt32LE(0));
  switch (kind) {
    case 'O':
      return { kind: 'create', inode, path };
    case 'W':
      return { kind: 'write', inode, offset, bytes: second };
    case 'T':
      return { kind: 'truncate', inode, sizeBytes: offset };
    case 'F':
      return { kind: 'sync file', inode };
    case 'G':
      return { kind: 'sync folder', path };
    case 'Y':
      return { kind: 'sync all' };
    case 'M':
      return { kind: 'make folder', path };
    case 'U':
      return { kind: 'remove', path };
    case 'R':
      return { kind: 'rename', from: path, to: second.toString('utf8') };
    case 'L':
      return { kind: 'link', from: path, to: second.toString('utf8') };
    case 'S':
      return { kind: 'sent' };
    default:
      throw new Error(`The log of the disk holds a record of an unknown kind: ${kind}.`);
  }
}
