import type { Size } from '../../../../canvas/types.ts';

/** Size of an image after a number of halvings, which may be a fraction. */
export const reducedSize = ({ width, height }: Size, halvings: number): Size => ({
  width: Math.max(1, Math.round(width / 2 ** halvings)),
  height: Math.max(1, Math.round(height / 2 ** halvings)),
});
