import { exporter, type FormatParameters, importer } from '../kit/plugin.ts';
import { exportCreateMl } from './export.ts';
import { importCreateMl } from './import.ts';
import { detectCreateMl } from './detect.ts';

const createMl: FormatParameters = {
  name: 'CreateML',
  version: '1.0',
  ext: 'ZIP',
  display_name: 'CreateML 1.0',
  support: { rectangle: 'both', tag: 'import', track: 'converted' },
};

export const createMlImporter = importer({ ...createMl, ext: 'JSON, ZIP', detect: detectCreateMl })(importCreateMl);
export const createMlExporter = exporter(createMl)(exportCreateMl);
