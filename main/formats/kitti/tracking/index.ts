import { defineFormat } from '../../kit/define-format.ts';
import { exportKittiTracking } from './export.ts';
import { detectKittiTracking, importKittiTracking } from './import.ts';

export const kittiTracking = defineFormat({
  name: 'KITTI Tracking',
  version: '1.0',
  isSequence: true,
  lacksSubsets: true,
  support: { rectangle: 'both', 'rotated rectangle': 'converted', track: 'both', attribute: 'partial' },
  detect: detectKittiTracking,
  read: importKittiTracking,
  write: exportKittiTracking,
});
