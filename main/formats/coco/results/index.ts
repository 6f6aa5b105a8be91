import { choice, datasetImporter } from '../../kit/define-format.ts';
import { importResults } from './import.ts';
import { detectResults } from '../detect.ts';

export const cocoResultsImporter = datasetImporter({
  name: 'COCO Results',
  version: '1.0',
  ext: 'JSON, ZIP',
  detect: detectResults,
  support: { rectangle: 'import', polygon: 'import', mask: 'import', skeleton: 'import' },
  options: [
    choice('category_ids', 'What category ids mean', {
      auto: 'What fits better',
      task: 'The task’s labels in order, from 1',
      coco: 'The published COCO classes',
    }),
    choice('image_ids', 'What image ids mean', {
      auto: 'What fits better',
      name: 'Numbers at the end of image names',
      position: 'Places in the task, from 1',
    }),
  ],
})(importResults);
