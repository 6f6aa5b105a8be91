import { spawn } from 'node:child_process';
import { closeSync, openSync, read, readdirSync, readSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** Behaviour of the disk. `fails` has priority; requests of a stalled disk are answered when it is over. */
export interface DiskState {
  readonly readMs: number;
  readonly isStalled: boolean;
  readonly fails: boolean;
}

const [source = '', target = ''] = process.argv.slice(2);
let state: DiskState = { readMs: 0, isStalled: false, fails: false };

/** Operations of the FUSE protocol, from linux/fuse.h. */
const op = {
  lookup: 1,
  forget: 2,
  getattr: 3,
  open: 14,
  read: 15,
  statfs: 17,
  release: 18,
  flush: 25,
  init: 26,
  opendir: 27,
  readdir: 28,
  releasedir: 29,
  access: 34,
  interrupt: 36,
  destroy: 38,
  batchForget: 42,
} as const;
const unanswered = new Set<number>([op.forget, op.batchForget]);
/** Operations that reach the medium of a real disk. */
const onMedium = new Set<number>([op.lookup, op.getattr, op.open, op.read, op.opendir, op.readdir]);
const eio = 5;
const enosys = 38;
const enoent = 2;
const eintr = 4;
const inHeader = 40;
const outHeader = 16;
/** No page cache: each read of a program reaches this process. */
const directIo = 1;
const rootNode = 1n;

/** Paths by node number. Nodes are never forgotten. */
const paths = new Map<bigint, string>([[rootNode, source]]);
const nodes = new Map<string, bigint>([[source, rootNode]]);
const folders = new Map<bigint, string[]>();
/** Requests of a stalled disk by their number. */
const held = new Map<bigint, () => void>();
let lastFolder = 0n;

const device = openSync('/dev/fuse', 'r+');

function nodeOf(path: string): bigint {
  const node = nodes.get(path) ?? BigInt(nodes.size + 1);
  nodes.set(path, node);
  paths.set(node, path);
  return node;
}

function attributesOf(path: string): Buffer {
  const { size, mtimeMs, mode } = statSync(path);
  const bytes = Buffer.alloc(88);
  bytes.writeBigUInt64LE(nodeOf(path), 0);
  bytes.writeBigUInt64LE(BigInt(size), 8);
  for (const at of [24, 32, 40]) bytes.writeBigUInt64LE(BigInt(Math.trunc(mtimeMs / 1000)), at);
  bytes.writeUInt32LE(mode, 60);
  bytes.writeUInt32LE(1, 64);
  bytes.writeUInt32LE(4096, 80);
  return bytes;
}

function listed(folder: bigint, offset: number, room: number): Buffer {
  const entries: Buffer[] = [];
  let used = 0;
  for (const [index, name] of (folders.get(folder) ?? []).entries()) {
    if (index < offset) continue;
    const text = Buffer.from(name);
    const entry = Buffer.alloc((24 + text.length + 7) & ~7);
    entry.writeBigUInt64LE(1n, 0);
    entry.writeBigUInt64LE(BigInt(index + 1), 8);
    entry.writeUInt32LE(text.length, 16);
    text.copy(entry, 24);
    used += entry.length;
    if (used > room) break;
    entries.push(entry);
  }
  return Buffer.concat(entries);
}

const handleOf = (handle: bigint, flags: number): Buffer => {
  const bytes = Buffer.alloc(16);
  bytes.writeBigUInt64LE(handle, 0);
  bytes.writeUInt32LE(flags, 8);
  return bytes;
};

/** The answer's body. File errors are thrown. */
function bodyOf(operation: number, node: bigint, body: Buffer): Buffer {
  const path = paths.get(node) ?? source;
  switch (operation) {
    case op.init: {
      const bytes = Buffer.alloc(64);
      bytes.writeUInt32LE(7, 0);
      bytes.writeUInt32LE(31, 4);
      bytes.writeUInt32LE(4096, 20);
      return bytes;
    }
    case op.lookup: {
      const found = join(path, body.toString('utf8', 0, body.indexOf(0)));
      const attributes = attributesOf(found);
      const bytes = Buffer.alloc(40);
      bytes.writeBigUInt64LE(nodeOf(found), 0);
      return Buffer.concat([bytes, attributes]);
    }
    case op.getattr:
      return Buffer.concat([Buffer.alloc(16), attributesOf(path)]);
    case op.open:
      return handleOf(BigInt(openSync(path, 'r')), directIo);
    case op.read: {
      const bytes = Buffer.alloc(body.readUInt32LE(16));
      const length = readSync(Number(body.readBigUInt64LE(0)), bytes, 0, bytes.length, Number(body.readBigUInt64LE(8)));
      return bytes.subarray(0, length);
    }
    case op.release:
      closeSync(Number(body.readBigUInt64LE(0)));
      return Buffer.alloc(0);
    case op.opendir:
      lastFolder += 1n;
      folders.set(lastFolder, readdirSync(path));
      return handleOf(lastFolder, 0);
    case op.readdir:
      return listed(body.readBigUInt64LE(0), Number(body.readBigUInt64LE(8)), body.readUInt32LE(16));
    case op.statfs:
      return Buffer.alloc(80);
    case op.flush:
    case op.releasedir:
    case op.access:
    case op.destroy:
      return Buffer.alloc(0);
    default:
      throw Object.assign(new Error(`Operation ${operation} is not implemented.`), { errno: -enosys });
  }
}

function reply(unique: bigint, error: number, body: Buffer): void {
  const header = Buffer.alloc(outHeader);
  header.writeUInt32LE(outHeader + body.length, 0);
  header.writeInt32LE(-error, 4);
  header.writeBigUInt64LE(unique, 8);
  try {
    writeSync(device, Buffer.concat([header, body]));
  } catch (failure) {
    // The program that asked was interrupted.
    if ((failure as NodeJS.ErrnoException).code !== 'ENOENT') throw failure;
  }
}

/** A program that is killed ends when its request is answered. */
function interrupt(unique: bigint): void {
  if (held.delete(unique)) reply(unique, eintr, Buffer.alloc(0));
}

function answer(operation: number, unique: bigint, node: bigint, body: Buffer): void {
  if (state.isStalled && !state.fails && onMedium.has(operation)) {
    held.set(unique, () => answer(operation, unique, node, body));
    return;
  }
  if (state.fails && onMedium.has(operation)) return reply(unique, eio, Buffer.alloc(0));
  try {
    reply(unique, 0, bodyOf(operation, node, body));
  } catch (error) {
    reply(unique, -((error as NodeJS.ErrnoException).errno ?? -enoent), Buffer.alloc(0));
  }
}

/** Reads the next request of the kernel. The device returns EPERM before the mount and ENODEV after the unmount. */
function next(): void {
  const buffer = Buffer.alloc(256 * 1024);
  read(device, buffer, 0, buffer.length, null, (error, length) => {
    if (error?.code === 'EPERM') return setTimeout(next, 1);
    if (error && !/^(ENOENT|EINTR|EAGAIN)$/.test(error.code ?? '')) process.exit(error.code === 'ENODEV' ? 0 : 1);
    if (!error) {
      const operation = buffer.readUInt32LE(4);
      const [unique, node] = [buffer.readBigUInt64LE(8), buffer.readBigUInt64LE(16)];
      const body = buffer.subarray(inHeader, length);
      if (operation === op.interrupt) interrupt(body.readBigUInt64LE(0));
      else if (!unanswered.has(operation)) {
        const wait = operation === op.read ? state.readMs : 0;
        if (wait > 0) setTimeout(answer, wait, operation, unique, node, body);
        else answer(operation, unique, node, body);
      }
    }
    return next();
  });
}

process.on('message', (wanted: DiskState) => {
  state = wanted;
  if (!state.isStalled || state.fails) {
    const waiting = [...held.values()];
    held.clear();
    for (const one of waiting) one();
  }
  process.send?.(held.size);
});
process.on('disconnect', () => process.exit(0));

next();
const options = `fd=3,rootmode=40000,user_id=0,group_id=0,allow_other`;
// Not synchronously: the mount asks this process for the root folder.
const mount = spawn('mount', ['-i', '-t', 'fuse', '-o', options, 'limner-test', target], {
  stdio: ['ignore', 'inherit', 'pipe', device],
});
let complaint = '';
mount.stderr?.setEncoding('utf8').on('data', (text: string) => (complaint += text));
mount.on('close', (code) => {
  process.send?.(code === 0 ? 'mounted' : complaint.trim() || `mount ended with ${code}`);
});
