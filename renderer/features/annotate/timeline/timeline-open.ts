const keyOf = (isVideo: boolean): string => `limner.timeline.${isVideo ? 'video' : 'images'}`;

/** Whether the timeline is open, remembered apart for videos and for images; at first for videos only. */
export const timelineIsOpen = (isVideo: boolean): boolean =>
  (globalThis.localStorage?.getItem(keyOf(isVideo)) ?? String(isVideo)) === 'true';

export function rememberTimeline(isVideo: boolean, isOpen: boolean): void {
  try {
    globalThis.localStorage?.setItem(keyOf(isVideo), String(isOpen));
  } catch {
    // The store is full: it opens and closes all the same, and is forgotten.
  }
}
