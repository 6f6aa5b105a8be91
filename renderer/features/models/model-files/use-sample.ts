import { useEffect } from 'react';
import { sampleSize, sampleSvg } from '../../../../preload/contract/sample-image.ts';
import { useImage } from '../../../shared/files/use-image.ts';

/** The sample image as PNG, because the service reads no SVG. */
export async function sampleFile(): Promise<File> {
  const url = URL.createObjectURL(new Blob([sampleSvg], { type: 'image/svg+xml' }));
  try {
    const image = new Image(sampleSize.width, sampleSize.height);
    image.src = url;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = sampleSize.width;
    canvas.height = sampleSize.height;
    canvas.getContext('2d')?.drawImage(image, 0, 0);
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
    return new File(blob === null ? [] : [blob], 'sample.png', { type: 'image/png' });
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** An image to try a model on: the sample until the user takes another one. */
export function useSample(onRefused: (name: string) => void) {
  const image = useImage(onRefused);
  const { take } = image;
  useEffect(() => {
    void sampleFile().then(take);
    // Once: later images are those of the user.
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `take` is another function at each render
  }, []);
  return image;
}
