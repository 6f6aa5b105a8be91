/** Endings of files that a task can be made of, without the dot. The service looks at what is in them. */
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

/** How a data request takes cut off and damaged files on purpose. The sentence that refuses them names it. */
export const acceptDamaged = '"accept_damaged": true';
