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

const openable = /\.(jpe?g|png|gif|bmp|webp|tiff?)$/i;
// oxlint-disable-next-line no-control-regex -- these are the characters that names must not have
const unusualPath = /[\u0000-\u001f\u007f\\]|^\s*[a-z]:|(^|\/)(\s*\.{0,2}\s*)(\/|$)|(^|\/)related_images\//i;

/** True for the path of an image that a task can be opened by, before the image is sent. */
export const isOpenableByName = (path: string): boolean => openable.test(path) && !unusualPath.test(path);

/** Option of a data request that accepts truncated and damaged files. The error about such files names it. */
export const acceptDamaged = '"accept_damaged": true';
