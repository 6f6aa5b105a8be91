import type { FormatOption } from '../plugin.ts';

/** How far a colour may be from that of its label. */
export const colorTolerance: FormatOption = {
  name: 'color_tolerance',
  title: 'Colour tolerance',
  description: 'How far a colour may be from that of its label, 0 to 255. 0: only the very colour.',
  kind: 'number',
  minimum: 0,
  maximum: 255,
  default: 0,
};
