import { exporter, type FormatParameters, importer } from '../kit/plugin.ts';
import { exportMarket } from './export.ts';
import { importMarket } from './import.ts';
import { detectMarket } from './detect.ts';

const market: FormatParameters = {
  name: 'Market-1501',
  version: '1.0',
  ext: 'ZIP',
  display_name: 'Market-1501 1.0',
  support: { tag: 'both', attribute: 'partial' },
};

export const marketImporter = importer({ ...market, detect: detectMarket })(importMarket);
export const marketExporter = exporter(market)(exportMarket);
