/** Channels of the messages from the page to the main process. Plain data: the preload script carries no schemas. */
export const desktopChannels = {
  openFiles: 'desktop:open-files',
  openFolders: 'desktop:open-folders',
  saveFile: 'desktop:save-file',
  revealInFolder: 'desktop:reveal-in-folder',
  setLanguage: 'desktop:set-language',
  ready: 'desktop:ready',
} as const;
export type DesktopChannelName = keyof typeof desktopChannels;

/** Channel of the events from the main process to the page. */
export const desktopEventChannel = 'desktop:event';
