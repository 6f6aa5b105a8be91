import { csvFields, withoutDelimiterLine } from '../io/csv-rows.ts';
import type { Source } from '../io/source.ts';
import { carries, choice, defineFormat, everyKind } from '../kit/define-format.ts';
import { likeliest, pathsToLookAt, readHead } from '../kit/detection.ts';
import type { Detection } from '../kit/plugin.ts';
import { boxStyle, delimiterOf, headlessColumns, isAboutObjects, readColumns } from './columns.ts';
import { exportCsv } from './export.ts';
import { importCsv } from './import.ts';

const maxFiles = 5;
const headBytes = 64 * 1024;
/** Header of Limner's own tables. */
const ownColumns = 'image,subset,frame,label,type,';

function detectionOf(path: string, beginning: string): Detection | null {
  const { text: head, delimiter } = withoutDelimiterLine(beginning);
  const firstLine = head.split(/\r\n|\n|\r/, 1)[0] ?? '';
  if (/^\s*[[{<]/.test(firstLine) || firstLine.includes('\u0000')) return null;
  const fields = csvFields(firstLine, delimiter ?? delimiterOf(firstLine));
  if (fields.length < 2) return null;
  const columns = readColumns(fields);
  if (isAboutObjects(columns)) {
    const isOwn = firstLine.startsWith(ownColumns);
    const confidence = isOwn ? 1 : boxStyle(columns) && columns.places.has('label') ? 0.9 : 0.6;
    return { reason: `${path} is a table with the columns ${fields.slice(0, 6).join(', ')}.`, confidence };
  }
  if (!headlessColumns(fields)) return null;
  return { reason: `${path} is a table whose first row is an image, a box and a label.`, confidence: 0.7 };
}

/** True for tables of Open Images, which belong together and have their own format. */
function isOpenImages(head: string): boolean {
  return /^"?(MaskPath"?,"?)?ImageID"?,/i.test(head);
}

async function detectCsv(source: Source): Promise<Detection | null> {
  const found: (Detection | null)[] = [];
  for (const path of pathsToLookAt(source, /\.[ct]sv$/i).slice(0, maxFiles)) {
    const head = await readHead(source, path, headBytes);
    if (source.kind === 'file' || !isOpenImages(head)) found.push(detectionOf(path, head));
  }
  return likeliest(found);
}

/** Tables with one row per object, of Limner and of other programs. */
export const csv = defineFormat({
  name: 'CSV',
  version: '1.0',
  statesShares: true,
  cutsOutside: false,
  support: carries({ both: everyKind }),
  importExt: 'CSV, TSV, ZIP',
  detect: detectCsv,
  importOptions: [
    choice('coordinates', 'Coordinates', {
      auto: 'Automatic',
      pixels: 'Pixels',
      fractions: 'Fractions of the image',
    }),
    choice('box', 'Numbers of a box', {
      xywh: 'Left, top, width, height',
      xyxy: 'Left, top, right, bottom',
      center: 'Center, width, height',
    }),
    choice('header', 'First line has column names', { '': 'Automatic', true: 'Yes', false: 'No' }),
    {
      name: 'delimiter',
      title: 'Delimiter',
      description: 'Default: by the first line.',
      kind: 'text',
    },
    {
      name: 'columns',
      title: 'Columns',
      description: 'JSON that maps roles to columns, for example {"label": "class"}. Default: by the column names.',
      kind: 'text',
    },
  ],
  read: importCsv,
  write: exportCsv,
});
