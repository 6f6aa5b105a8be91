import { type FormatCandidate, isWithinReach, readHead } from '../kit/detection.ts';
import type { Source } from '../io/source.ts';
import { splitLines } from '../io/text-lines.ts';
import { readCharacterRow } from './characters.ts';
import { findTextFiles, readTextRow } from './localization.ts';
import { findWordFiles, readWordRow } from './recognition.ts';
import { findCharacterFiles } from './segmentation-import.ts';

const sampledFiles = 10;
const sampledRows = 20;

interface Variant {
  readonly name: string;
  readonly what: string;
  readonly find: (source: Source) => readonly { readonly path: string }[];
  /** A sentence for a line that is none of the format's. */
  readonly read: (line: string) => unknown;
}

const variants: readonly Variant[] = [
  { name: 'ICDAR Recognition 1.0', what: 'images and texts in quotes', find: findWordFiles, read: readWordRow },
  { name: 'ICDAR Localization 1.0', what: 'corners and texts', find: findTextFiles, read: readTextRow },
  {
    name: 'ICDAR Segmentation 1.0',
    what: 'colours and characters',
    find: findCharacterFiles,
    read: readCharacterRow,
  },
];

async function detectVariant(source: Source, { name, what, find, read }: Variant): Promise<FormatCandidate[]> {
  const files = find(source).filter(({ path }) => isWithinReach(path));
  const [first] = files;
  if (!first) return [];
  let rows = 0;
  let good = 0;
  for (const { path } of files.slice(0, sampledFiles)) {
    for (const line of splitLines(await readHead(source, path, 16 * 1024)).slice(0, sampledRows)) {
      if (line.trim() === '') continue;
      rows += 1;
      if (typeof read(line) !== 'string') good += 1;
    }
  }
  if (rows === 0)
    return [{ name, reason: `${first.path} is called as a file of the format, and is empty.`, confidence: 0.5 }];
  if (good === 0) return [];
  return [{ name, reason: `${first.path} has rows of ${what}.`, confidence: (0.95 * good) / rows }];
}

/** The three kinds of files of ICDAR's competitions. */
export async function detectIcdar(source: Source): Promise<FormatCandidate[]> {
  if (source.kind === 'file') return [];
  const candidates: FormatCandidate[] = [];
  for (const variant of variants) candidates.push(...(await detectVariant(source, variant)));
  return candidates;
}
