/** Extensions of files from which tasks can be created, without the dot. The service also checks the content. */
export const imageEndings = ['jpg', 'jpeg', 'jpe', 'jfif', 'png', 'webp', 'bmp', 'tif', 'tiff', 'gif'] as const;
// prettier-ignore
export const videoEndings = [
  'mp4', 'm4v', 'mov', 'avi', 'mkv', 'webm', 'mpg', 'mpeg', 'mts', 'm2ts', 'wmv', 'flv', 'ogv', 'mxf',
] as const;
export const archiveEndings = ['zip', 'tar', 'tgz', 'tar.gz'] as const;

const hasEnding =
  (endings: readonly string[]) =>
  (name: string): boolean =>
    endings.some((ending) => name.toLowerCase().endsWith(`.${ending}`));

export const isVideoName = hasEnding(videoEndings);
export const isArchiveName = hasEnding(archiveEndings);
export const isMediaName = hasEnding([...imageEndings, ...videoEndings, ...archiveEndings]);

/** Option of a data request that accepts truncated and damaged files. The error about such files names it. */
export const acceptDamaged = '"accept_damaged": true';
