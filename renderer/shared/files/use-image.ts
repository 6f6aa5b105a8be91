import { useEffect, useState } from 'react';

export interface Picture {
  readonly file: File;
  readonly url: string;
  readonly size: { readonly width: number; readonly height: number };
}

/** A local image, held while it is shown. Files that are no images are refused by name. */
export function useImage(onRefused: (name: string) => void) {
  const [picture, setPicture] = useState<Picture | null>(null);
  useEffect(() => () => URL.revokeObjectURL(picture?.url ?? ''), [picture]);
  /** True if it is shown now. */
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
      onRefused(file.name);
      return false;
    }
  };
  return { picture, take, remove: () => setPicture(null) };
}
