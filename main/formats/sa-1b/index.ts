import { paintedSupport } from '../kit/mask-files/painted-exporter.ts';
import { defineFormat } from '../kit/define-format.ts';
import { exportSa1b } from './export.ts';
import { importSa1b, detectSa1b } from './import.ts';

export const sa1b = defineFormat({
  name: 'SA-1B JSON',
  version: '1.0',
  support: { ...paintedSupport, attribute: 'partial' },
  detect: detectSa1b,
  importExt: 'JSON, ZIP',
  importOptions: [
    {
      name: 'label',
      title: 'Label of masks without one',
      description: 'The data set itself has no labels. Left empty: the task’s only label, or "object".',
      kind: 'text',
    },
  ],
  read: importSa1b,
  write: exportSa1b,
});
