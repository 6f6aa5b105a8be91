import { choice, defineFormat } from '../kit/define-format.ts';
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
    choice('frame_matching', 'What frame numbers mean', {
      auto: 'What fits better',
      name: 'Names of images',
      order: 'Places in the task',
    }),
  ],
  read: importMot,
  write: exportMot,
});
