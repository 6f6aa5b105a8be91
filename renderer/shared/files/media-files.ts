import { isMediaName, isVideoName } from '../../../preload/contract/media-names.ts';
import { useText } from '../../i18n/index.ts';
import { locale } from '../../i18n/language.ts';
import { notify } from '../../ui/notify.ts';

interface Named {
  readonly path: string;
}

/** Media for one task among the files; null with a notice if there is none. */
export function useChooseMedia(): <Item extends Named>(found: readonly Item[]) => ChosenMedia<Item> | null {
  const t = useText();
  return (found) => {
    const chosen = chooseMedia(found);
    const [video] = chosen.otherVideos;
    if (video !== undefined) {
      notify.hint('videos', t('newTask.oneVideo', { count: chosen.otherVideos.length, name: video.path }));
    }
    if (chosen.files.length > 0) return chosen;
    if (found.length > 0) notify.failure(t('newTask.nothingUsable'), t('newTask.noImages'));
    return null;
  };
}

/** Files that operating systems add to folders. */
const clutter = /(^|\/)(\.[^/]*|Thumbs\.db|desktop\.ini|__MACOSX\/.*)$/i;

/** True if a task can be created from it. */
export const isMediaFile = ({ path }: Named): boolean => !clutter.test(path) && isMediaName(path);

export interface ChosenMedia<Item extends Named> {
  readonly files: readonly Item[];
  /** Files other than media that the user may expect. */
  readonly ignored: readonly Item[];
  /** Videos that were left out, because each video needs its own task. */
  readonly otherVideos: readonly Item[];
}

/** Media of one task: images and archives, or else one video. */
export function chooseMedia<Item extends Named>(files: readonly Item[]): ChosenMedia<Item> {
  const visible = files.filter((item) => !clutter.test(item.path));
  const found = visible
    .filter((item) => isMediaName(item.path))
    .toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  const videos = found.filter((item) => isVideoName(item.path));
  const images = found.filter((item) => !isVideoName(item.path));
  return {
    files: images.length > 0 ? images : videos.slice(0, 1),
    ignored: visible.filter((item) => !isMediaName(item.path)),
    otherVideos: images.length > 0 ? videos : videos.slice(1),
  };
}

/** Default task name: the folder, the archive, the only file, or the time. */
export function nameForTask(files: readonly Named[], now: Date): string {
  const folders = new Set(files.map((item) => (item.path.includes('/') ? item.path.split('/')[0] : undefined)));
  const [folder] = folders;
  if (folders.size === 1 && folder !== undefined) return folder.slice(0, 256);
  const only = files[0];
  if (files.length === 1 && only !== undefined)
    return (only.path.split('/').at(-1) ?? '').replace(/(\.tar)?\.[^.]+$/, '').slice(0, 256);
  const moment = new Intl.DateTimeFormat(locale(), { dateStyle: 'medium', timeStyle: 'short' }).format(now);
  return `${files.length} files, ${moment}`;
}

/** Default task name for local paths: the only folder or file, or the time. */
export function nameForPaths(paths: readonly string[], now: Date): string {
  const names = paths.map((path) => ({ path: path.split(/[\\/]/).findLast((part) => part !== '') ?? path }));
  return nameForTask(names, now);
}
