import { useEffect } from 'react';
import { isVideoName } from '../../../preload/contract/media-names.ts';
import type { FoundFile } from './found-files.ts';
import { isMediaFile } from './media-files.ts';

type Take = (files: readonly FoundFile[]) => void | Promise<void>;

let open: { readonly take: Take } | null = null;

/** Lets the open page take dropped images, which would create a task otherwise. Null: it takes none. */
export function usePageDrop(take: Take | null): void {
  useEffect(() => {
    if (take === null) return undefined;
    const entry = { take };
    open = entry;
    return () => {
      if (open === entry) open = null;
    };
  });
}

export const pageTakesDrops = (): boolean => open !== null;

/** Passes images and archives to the open page. Returns false if it takes none, or if there are only videos. */
export async function passToPage(files: readonly FoundFile[]): Promise<boolean> {
  const media = files.filter(isMediaFile);
  if (open === null || media.every(({ path }) => isVideoName(path))) return false;
  await open.take(files);
  return true;
}
