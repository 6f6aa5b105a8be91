import { isUtf8 } from 'node:buffer';
import { type Entry, getFileNameLowLevel } from 'yauzl';
import type { SourceFile } from './source.ts';
import { canDecode, likelyNameEncoding } from './text-encoding.ts';

const utf8Flag = 0x0800;
/** Limits the time of the encoding detection. */
const maxSampleBytes = 64 * 1024;

const isAscii = (bytes: Uint8Array): boolean => bytes.every((byte) => byte < 0x80);

/** Name by the UTF-8 flag, the Unicode extra field or code page 437. Backslashes become slashes. */
const statedName = ({ generalPurposeBitFlag, fileNameRaw, extraFields }: Entry): string =>
  getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, false);

/** Windows programs write names in the system code page, macOS writes UTF-8 without the flag. */
function lacksEncoding(entry: Entry): boolean {
  if ((entry.generalPurposeBitFlag & utf8Flag) !== 0 || isAscii(entry.fileNameRaw)) return false;
  return statedName(entry) === getFileNameLowLevel(0, entry.fileNameRaw, [], false);
}

/**
 * Reads the names of an archive. Names without a stated encoding are decoded as UTF-8 if valid, else in the file's
 * `encoding`, else in the likely encoding with a warning.
 */
export function createZipNames({ name, encoding: stated }: SourceFile, entries: readonly Entry[]) {
  const unclear = new Set(entries.filter(lacksEncoding));
  const bytes = Buffer.concat([...unclear].map(({ fileNameRaw }) => fileNameRaw));
  const isStated = isUtf8(bytes) || (stated !== undefined && canDecode(bytes, stated));
  const encoding = isUtf8(bytes) ? 'utf-8' : isStated ? stated : likelyNameEncoding(bytes.subarray(0, maxSampleBytes));
  const nameOf = (entry: Entry): string =>
    encoding !== undefined && unclear.has(entry) ? decoded(entry, encoding) : statedName(entry);
  const guess = (first: Entry): string =>
    `File names in ${name} state no encoding and were read as ${encoding ?? 'cp437'}, for example ${JSON.stringify(nameOf(first).slice(0, 200))}. If they look wrong, choose their encoding (--encoding on the command line) and import again.`;
  return { nameOf, warnings: isStated ? [] : [...unclear].slice(0, 1).map(guess) };
}

function decoded({ fileNameRaw }: Entry, encoding: string): string {
  // Decode first: the second byte of a Chinese or Japanese character may equal a backslash.
  return new TextDecoder(encoding).decode(fileNameRaw).replaceAll('\\', '/');
}
