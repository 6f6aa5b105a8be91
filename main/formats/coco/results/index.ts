import { datasetImporter } from '../../kit/define-format.ts';
import { importResults } from './import.ts';
import { detectResults } from '../detect.ts';

export const cocoResultsImporter = datasetImporter({
  name: 'COCO Results',
  version: '1.0',
  ext: 'JSON, ZIP',
  display_name: 'COCO Results 1.0',
  detect: detectResults,
  support: { rectangle: 'import', polygon: 'import', mask: 'import', skeleton: 'import' },
  options: [
    {
      name: 'category_ids',
      title: 'What category ids mean',
      kind: 'choice',
      choices: [
        { value: 'auto', title: 'What fits better' },
        { value: 'task', title: 'The task’s labels in order, from 1' },
        { value: 'coco', title: 'The published COCO classes' },
      ],
    },
    {
      name: 'image_ids',
      title: 'What image ids mean',
      kind: 'choice',
      choices: [
        { value: 'auto', title: 'What fits better' },
        { value: 'name', title: 'Numbers at the end of image names' },
        { value: 'position', title: 'Places in the task, from 1' },
      ],
    },
  ],
})(importResults);
