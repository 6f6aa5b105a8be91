import { isUtf8 } from 'node:buffer';
import { type Entry, getFileNameLowLevel } from 'yauzl';
import type { SourceFile } from './source.ts';
import { canDecode, likelyNameEncoding } from './text-encoding.ts';

const utf8Flag = 0x0800;
/** More names say no more about their encoding. */
const maxSampleBytes = 64 * 1024;

const isAscii = (bytes: Uint8Array): boolean => bytes.every((byte) => byte < 0x80);

/** The name by the flag of UTF-8, the Unicode field, or the code page 437 of the zip format. Backslashes become slashes. */
const statedName = ({ generalPurposeBitFlag, fileNameRaw, extraFields }: Entry): string =>
  getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, false);

/** Programs for Windows write names in the code page of the machine, and those for macOS UTF-8 without its flag. */
function lacksEncoding(entry: Entry): boolean {
  if ((entry.generalPurposeBitFlag & utf8Flag) !== 0 || isAscii(entry.fileNameRaw)) return false;
  return statedName(entry) === getFileNameLowLevel(0, entry.fileNameRaw, [], false);
}

/**
 * Reads the names of an archive. Names that state no encoding are UTF-8 where their bytes are, then of the encoding that
 * the file comes with, then of the likeliest: a warning says which.
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
  // A byte of a Chinese character may be that of a backslash: characters come first.
  return new TextDecoder(encoding).decode(fileNameRaw).replaceAll('\\', '/');
}
