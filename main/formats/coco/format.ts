import type { FormatParameters, SupportTable } from '../kit/plugin.ts';

/** What COCO instances carry. */
export const instancesSupport: SupportTable = {
  rectangle: 'both',
  'rotated rectangle': 'both',
  ellipse: 'converted',
  polygon: 'both',
  mask: 'both',
  track: 'both',
  attribute: 'both',
};

export const coco: FormatParameters = {
  name: 'COCO',
  version: '1.0',
  ext: 'ZIP',
  display_name: 'COCO 1.0',
  support: instancesSupport,
};
