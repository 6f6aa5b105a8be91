import { exporter, type FormatParameters, importer } from '../kit/plugin.ts';
import { exportCreateMl } from './export.ts';
import { importCreateMl } from './import.ts';

const createMl: FormatParameters = {
  name: 'CreateML',
  version: '1.0',
  ext: 'ZIP',
  display_name: 'CreateML 1.0',
  support: { rectangle: 'both', tag: 'import', track: 'converted' },
};

export const createMlImporter = importer({ ...createMl, ext: 'JSON, ZIP' })(importCreateMl);
export const createMlExporter = exporter(createMl)(exportCreateMl);
