import { type FormatCandidate, isWithinReach, readHead } from '../kit/detection.ts';
import { csvFields } from '../io/csv-rows.ts';
import { isSystemFile, type Source } from '../io/source.ts';
import { boxStyle, delimiterOf, headlessColumns, isAboutObjects, readColumns } from './columns.ts';

const name = 'CSV 1.0';
const maxFiles = 5;
const headBytes = 64 * 1024;
/** What Limner writes itself begins so. */
const ownColumns = 'image,subset,frame,label,type,';

function candidateOf(path: string, head: string): FormatCandidate | undefined {
  const firstLine = head.split(/\r\n|\n|\r/, 1)[0] ?? '';
  if (/^\s*[[{<]/.test(firstLine) || firstLine.includes('\u0000')) return undefined;
  const fields = csvFields(firstLine, delimiterOf(firstLine));
  if (fields.length < 2) return undefined;
  const columns = readColumns(fields);
  if (isAboutObjects(columns)) {
    const isOwn = firstLine.startsWith(ownColumns);
    const confidence = isOwn ? 1 : boxStyle(columns) && columns.places.has('label') ? 0.9 : 0.6;
    return { name, reason: `${path} is a table with the columns ${fields.slice(0, 6).join(', ')}.`, confidence };
  }
  if (!headlessColumns(fields)) return undefined;
  return { name, reason: `${path} is a table whose first row is an image, a box and a label.`, confidence: 0.7 };
}

/** Columns of Open Images: its tables belong together, where there are several files. */
function isOpenImages(head: string): boolean {
  return /^"?ImageID"?,.*LabelName/i.test(head);
}

/** Tables of objects, by the names of their columns. */
export async function detectCsv(source: Source): Promise<FormatCandidate[]> {
  const paths = source.entries
    .map(({ path }) => path)
    .filter(
      (path) => source.kind === 'file' || (/\.[ct]sv$/i.test(path) && isWithinReach(path) && !isSystemFile(path)),
    );
  let best: FormatCandidate | undefined;
  for (const path of paths.slice(0, maxFiles)) {
    const head = await readHead(source, path, headBytes);
    if (source.kind !== 'file' && isOpenImages(head)) continue;
    const candidate = candidateOf(path, head);
    if (candidate && candidate.confidence > (best?.confidence ?? 0)) best = candidate;
  }
  return best ? [best] : [];
}
