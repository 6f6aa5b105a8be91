import { importer } from '../plugin.ts';
import { importResults } from './import.ts';

export const cocoResultsImporter = importer({
  name: 'COCO Results',
  version: '1.0',
  ext: 'JSON, ZIP',
  display_name: 'COCO Results 1.0',
  support: { rectangle: 'import', polygon: 'import', mask: 'import', skeleton: 'import' },
})(importResults);
