import { defineFormat } from '../../kit/define-format.ts';
import { detectCaptions, detectLabels } from '../detect.ts';
import { rowExporter } from './export.ts';
import { rowImporter } from './import.ts';
import { captionRows, labelRows } from './rows.ts';

const version = '1.0';
const support = { tag: 'both', attribute: 'both' } as const;
const importExt = 'JSON, ZIP';

export const cocoCaptions = defineFormat({
  name: captionRows.format,
  version,
  support,
  importExt,
  detect: detectCaptions,
  read: rowImporter(captionRows),
  write: rowExporter(captionRows),
});

export const cocoLabels = defineFormat({
  name: labelRows.format,
  version,
  support,
  importExt,
  numbersClasses: true,
  detect: detectLabels,
  read: rowImporter(labelRows),
  write: rowExporter(labelRows),
});
