import { defineFormat } from '../kit/define-format.ts';
import { exportMarket } from './export.ts';
import { importMarket, detectMarket } from './import.ts';

export const market = defineFormat({
  name: 'Market-1501',
  version: '1.0',
  lacksSubsets: true,
  support: { tag: 'both', attribute: 'partial' },
  detect: detectMarket,
  read: importMarket,
  write: exportMarket,
});
