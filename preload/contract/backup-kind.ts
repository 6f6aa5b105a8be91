export type BackupKind = 'task' | 'project';

/** Recognizes a backup of a task or project by the names at the top level of its archive. */
export function backupKindOf(has: (name: string) => boolean): BackupKind | null {
  if (has('project.json')) return 'project';
  return has('task.json') && has('annotations.json') ? 'task' : null;
}

const endBytes = 22;
const longestComment = 65_535;
const end64Bytes = 56;
const locatorBytes = 20;
/** Enough for the names of a million entries; archives with more are not backups of this program. */
const longestDirectory = 256 * 1024 * 1024;
const none: ReadonlySet<string> = new Set();

/** Reads the bytes of a file from `start` to `end` (exclusive). */
export type ReadBytes = (start: number, end: number) => Promise<Uint8Array>;

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Finds the central directory of a zip archive; null if the file is not a zip archive. */
async function findDirectory(
  read: ReadBytes,
  sizeBytes: number,
): Promise<readonly [start: number, size: number] | null> {
  const from = Math.max(0, sizeBytes - endBytes - longestComment - locatorBytes);
  const tail = viewOf(await read(from, sizeBytes));
  for (let at = tail.byteLength - endBytes; at >= 0; at -= 1) {
    if (tail.getUint32(at, true) !== 0x06054b50) continue;
    const size = tail.getUint32(at + 12, true);
    const start = tail.getUint32(at + 16, true);
    const isLong = start === 0xffffffff || size === 0xffffffff;
    if (!isLong) return [start, size];
    const locator = at - locatorBytes;
    if (locator < 0 || tail.getUint32(locator, true) !== 0x07064b50) return null;
    const end64 = Number(tail.getBigUint64(locator + 8, true));
    if (end64 + end64Bytes > sizeBytes) return null;
    const record = viewOf(await read(end64, end64 + end64Bytes));
    if (record.getUint32(0, true) !== 0x06064b50) return null;
    return [Number(record.getBigUint64(48, true)), Number(record.getBigUint64(40, true))];
  }
  return null;
}

/** Short names of a zip's entries; empty if the file is not a readable zip archive. */
async function shortNames(read: ReadBytes, sizeBytes: number): Promise<ReadonlySet<string>> {
  if (sizeBytes < endBytes) return none;
  const place = await findDirectory(read, sizeBytes);
  if (place === null || place[1] > longestDirectory || place[0] + place[1] > sizeBytes) return none;
  const bytes = await read(place[0], place[0] + place[1]);
  const view = viewOf(bytes);
  const names = new Set<string>();
  for (let at = 0; at + 46 <= view.byteLength && view.getUint32(at, true) === 0x02014b50;) {
    const nameLength = view.getUint16(at + 28, true);
    // The names of backups are short and ASCII.
    if (nameLength <= 32) names.add(String.fromCharCode(...bytes.subarray(at + 46, at + 46 + nameLength)));
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return names;
}

/** Recognizes a backup of a task or project from the end of the file alone; null for other files. */
export async function readBackupKind(read: ReadBytes, sizeBytes: number): Promise<BackupKind | null> {
  const names = await shortNames(read, sizeBytes);
  return backupKindOf((name) => names.has(name));
}
