import { defineFormat } from '../kit/define-format.ts';
import { detectMot } from './detect.ts';
import { exportMot } from './export.ts';
import { importMot, largestFrame } from './import.ts';

export const mot = defineFormat({
  name: 'MOT',
  isSequence: true,
  version: '1.1',
  lacksSubsets: true,
  support: { rectangle: 'both', 'rotated rectangle': 'converted', track: 'both', attribute: 'partial' },
  detect: detectMot,
  importOptions: [
    {
      name: 'first_frame',
      title: 'Number of the first frame',
      description: 'Left empty: 0 where the file has a frame 0, else 1.',
      kind: 'number',
      minimum: 0,
      maximum: largestFrame,
    },
    {
      name: 'frame_matching',
      title: 'What frame numbers mean',
      kind: 'choice',
      choices: [
        { value: 'auto', title: 'What fits better' },
        { value: 'name', title: 'Names of images' },
        { value: 'order', title: 'Places in the task' },
      ],
    },
  ],
  read: importMot,
  write: exportMot,
});
