import { carries, defineFormat, everyKindBut } from '../kit/define-format.ts';
import { exportLabelStudio } from './export.ts';
import { importLabelStudio, detectLabelStudio } from './import.ts';

/** Label Studio's list of tasks. What a region has no field for stands in its `meta`, which the program keeps. */
export const labelStudio = defineFormat({
  name: 'Label Studio JSON',
  version: '1.0',
  support: carries({ both: everyKindBut('cuboid', 'skeleton') }),
  detect: detectLabelStudio,
  importExt: 'JSON, ZIP',
  importOptions: [
    {
      name: 'predictions',
      title: 'Read predictions, too',
      description: 'Otherwise only what people annotated.',
      kind: 'boolean',
      default: false,
    },
  ],
  read: importLabelStudio,
  write: exportLabelStudio,
});
