import { useEffect, useState } from 'react';
import { useText } from '../../../i18n/index.ts';
import { notify } from '../../../ui/notify.ts';
import type { ImageSize } from './image-view.tsx';

export interface Picture {
  readonly file: File;
  readonly url: string;
  readonly size: ImageSize;
}

/** A picture of the person's own, kept as long as it is shown; `title` is over why one cannot be. */
export function usePicture(title: string) {
  const t = useText();
  const [picture, setPicture] = useState<Picture | null>(null);
  useEffect(() => () => URL.revokeObjectURL(picture?.url ?? ''), [picture]);
  /** Whether it is shown now. */
  const take = async (file: File): Promise<boolean> => {
    const url = URL.createObjectURL(file);
    try {
      const image = new Image();
      image.src = url;
      await image.decode();
      setPicture({ file, url, size: { width: image.naturalWidth, height: image.naturalHeight } });
      return true;
    } catch {
      URL.revokeObjectURL(url);
      notify.failure(title, t('modelTry.noImage', { name: file.name }));
      return false;
    }
  };
  return { picture, take };
}
