import { paintedSupport } from '../kit/mask-files/painted-exporter.ts';
import { colorTolerance } from '../kit/mask-files/color-tolerance.ts';
import { defineFormat } from '../kit/define-format.ts';
import { exportCamvid } from './export.ts';
import { importCamvid } from './import.ts';
import { detectCamvid } from './detect.ts';

export const camvid = defineFormat({
  name: 'CamVid',
  version: '1.0',
  support: paintedSupport,
  detect: detectCamvid,
  importOptions: [colorTolerance],
  read: importCamvid,
  write: exportCamvid,
});
