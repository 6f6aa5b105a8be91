import { pathsToLookAt, readHead } from '../kit/detection.ts';
import type { Source } from '../io/source.ts';
import type { Detection } from '../kit/plugin.ts';
import { splitLines } from '../io/text-lines.ts';
import { isHeaderLine, isTellingRow, readDotaRow } from './row.ts';

const maxFiles = 20;
const headBytes = 16 * 1024;
/** Data sets that have nothing on their first images are still told by their folders. */
const folderOnly = 0.6;

/** Rows of four corners and a label, mostly in a folder labelTxt. */
export async function detectDota(source: Source): Promise<Detection | null> {
  const texts = pathsToLookAt(source, /\.txt$/i);
  const inFolder = texts.filter((path) => /(^|\/)labelTxt[^/]*\//i.test(path));
  for (const path of (inFolder.length > 0 ? inFolder : texts).slice(0, maxFiles)) {
    const head = await readHead(source, path, headBytes);
    const line = splitLines(head).find((one) => one.trim() !== '' && !isHeaderLine(one));
    if (line === undefined) continue;
    if (!(inFolder.length > 0 ? typeof readDotaRow(line) !== 'string' : isTellingRow(line))) break;
    const reason = `${path} has rows of four corners, a label and a difficulty.`;
    return { reason, confidence: inFolder.length > 0 ? 0.95 : 0.7 };
  }
  const [folder] = inFolder;
  return folder === undefined ? null : { reason: `${folder} lies where DOTA has its rows.`, confidence: folderOnly };
}
