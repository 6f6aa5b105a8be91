import { messageOf } from '../../../api/api-error.ts';
import { text } from '../../../i18n/index.ts';
import { notify } from '../../../ui/notify.ts';
import { createPlayer, type PlayerParts } from './player.ts';

/** The player of this window: its clock, its repaints, and its words where it cannot play. */
export const openPlayer = (parts: Omit<PlayerParts, 'now' | 'schedule' | 'onFailure'>) =>
  createPlayer({
    ...parts,
    now: () => performance.now(),
    schedule: (task) => void requestAnimationFrame(task),
    onFailure: (error) => notify.failure(text('player.failed'), messageOf(error)),
  });
