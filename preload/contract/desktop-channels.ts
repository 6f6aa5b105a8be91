/**
 * Channels of the messages from the page to the main process. Plain data, so that the preload script needs no schemas.
 */
export const desktopChannels = {
  openFiles: 'desktop:open-files',
  openFolders: 'desktop:open-folders',
  saveFile: 'desktop:save-file',
  revealInFolder: 'desktop:reveal-in-folder',
  setLanguage: 'desktop:set-language',
  setColorScheme: 'desktop:set-color-scheme',
  ready: 'desktop:ready',
} as const;
export type DesktopChannelName = keyof typeof desktopChannels;

export const desktopEventChannel = 'desktop:event';
