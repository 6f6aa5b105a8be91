export type BackupKind = 'task' | 'project';

/** What a backup of a task or of a project is known by: the names at the top of its archive. */
export function backupKindOf(has: (name: string) => boolean): BackupKind | null {
  if (has('project.json')) return 'project';
  return has('task.json') && has('annotations.json') ? 'task' : null;
}

const endBytes = 22;
const longestComment = 65_535;
const end64Bytes = 56;
const locatorBytes = 20;
/** Names of a million entries; what has more is no backup of this program. */
const longestDirectory = 256 * 1024 * 1024;
const none: ReadonlySet<string> = new Set();

/** Bytes of a file from `start` to `end`. */
export type ReadBytes = (start: number, end: number) => Promise<Uint8Array>;

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Where a zip's list of entries stands; null where the file is no zip. */
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

/** Short names of a zip's entries; none where the file is no zip that can be read. */
async function shortNames(read: ReadBytes, sizeBytes: number): Promise<ReadonlySet<string>> {
  if (sizeBytes < endBytes) return none;
  const place = await findDirectory(read, sizeBytes);
  if (place === null || place[1] > longestDirectory || place[0] + place[1] > sizeBytes) return none;
  const bytes = await read(place[0], place[0] + place[1]);
  const view = viewOf(bytes);
  const names = new Set<string>();
  for (let at = 0; at + 46 <= view.byteLength && view.getUint32(at, true) === 0x02014b50;) {
    const nameLength = view.getUint16(at + 28, true);
    // The names that are looked for are short, and plain letters.
    if (nameLength <= 32) names.add(String.fromCharCode(...bytes.subarray(at + 46, at + 46 + nameLength)));
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return names;
}

/** Whether a file is the backup of a task or of a project, by the end of it alone; null where it is neither. */
export async function readBackupKind(read: ReadBytes, sizeBytes: number): Promise<BackupKind | null> {
  const names = await shortNames(read, sizeBytes);
  return backupKindOf((name) => names.has(name));
}
