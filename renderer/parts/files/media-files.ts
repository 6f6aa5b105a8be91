import type { NamedFile } from '../../api/uploads.ts';

const media = /\.(jpe?g|jpe|jfif|png|webp|bmp|tiff?|gif|zip|tar|tgz|tar\.gz)$/i;
/** What operating systems leave in folders. */
const clutter = /(^|\/)(\.[^/]*|Thumbs\.db|desktop\.ini|__MACOSX\/.*)$/i;

export interface ChosenMedia {
  readonly files: readonly NamedFile[];
  /** Files that are no media and that somebody may miss. */
  readonly ignored: readonly NamedFile[];
}

export function chooseMedia(files: readonly NamedFile[]): ChosenMedia {
  const visible = files.filter((item) => !clutter.test(item.path));
  const chosen = visible.filter((item) => media.test(item.path));
  return {
    files: chosen.toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0)),
    ignored: visible.filter((item) => !media.test(item.path)),
  };
}

/** A task's name from its files: the folder, the archive, the only file, or the moment. */
export function nameForTask(files: readonly { readonly path: string }[], now: Date): string {
  const folders = new Set(files.map((item) => (item.path.includes('/') ? item.path.split('/')[0] : undefined)));
  const [folder] = folders;
  if (folders.size === 1 && folder !== undefined) return folder.slice(0, 256);
  const only = files[0];
  if (files.length === 1 && only !== undefined)
    return (only.path.split('/').at(-1) ?? '').replace(/(\.tar)?\.[^.]+$/, '').slice(0, 256);
  const moment = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' }).format(now);
  return `${files.length} files, ${moment}`;
}

/** A task's name from paths of this workstation: the only folder or file, or the moment. */
export function nameForPaths(paths: readonly string[], now: Date): string {
  const names = paths.map((path) => ({ path: path.split(/[\\/]/).findLast((part) => part !== '') ?? path }));
  return nameForTask(names, now);
}
