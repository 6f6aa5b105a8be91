import type { NamedFile } from '../../api/uploads.ts';
import { useText } from '../../i18n/index.ts';
import { notify } from '../../ui/notify.ts';
import { chooseMedia, type ChosenMedia } from './media-files.ts';

/** What a task can be made of among these files; null, and the person is told, where there is nothing. */
export function useChooseMedia(): (found: readonly NamedFile[]) => ChosenMedia | null {
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
