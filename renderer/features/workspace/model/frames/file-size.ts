import type { Size } from '../../../../canvas/types.ts';

/** Upright size of an image file without decoding it. Null if the browser cannot decode its format. */
export function sizeOfFile(file: File): Promise<Size | null> {
  const address = URL.createObjectURL(file);
  const image = new Image();
  return new Promise<Size | null>((resolve) => {
    image.addEventListener('load', () => resolve({ width: image.naturalWidth, height: image.naturalHeight }));
    image.addEventListener('error', () => resolve(null));
    image.src = address;
  }).finally(() => URL.revokeObjectURL(address));
}
