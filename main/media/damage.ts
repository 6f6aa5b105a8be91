import { acceptDamaged } from '../../preload/contract/media-names.ts';
import { AppError } from '../platform/errors.ts';
import type { VideoProbe } from './video/video.ts';

const namedAtMost = 5;
/** Tells how to accept damaged files on purpose; `damaged` is a sentence that describes the damage. */
export function refusedDamage(damaged: string): AppError {
  return new AppError(
    'invalid',
    `${damaged} No task was created, and the given files are unchanged. Use an intact copy, or accept the ` +
      `readable part: with ${acceptDamaged} in the data request, or --accept-damaged on the command line.`,
  );
}

/** Throws if image files are truncated. */
export function requireWhole(cutOff: readonly string[]): void {
  if (cutOff.length === 0) return;
  const named = cutOff.slice(0, namedAtMost).join(', ');
  const more = cutOff.length > namedAtMost ? ` and ${cutOff.length - namedAtMost} more` : '';
  const damaged =
    cutOff.length === 1
      ? `${named} is truncated: the file ends before its image does.`
      : `${cutOff.length} images are truncated, their files end before their images do: ${named}${more}.`;
  throw refusedDamage(damaged);
}

/** Compares the declared frames of a damaged video with the readable ones; undefined for an undamaged video. */
export function damageSentence(name: string, { frameCount, damage }: VideoProbe): string | undefined {
  if (damage === null) return undefined;
  const read =
    damage.promisedFrames === null
      ? `is truncated: ${frameCount} frames of it can be read`
      : `is damaged: it declares ${damage.promisedFrames} frames, and ${frameCount} can be read`;
  return `${name} ${read} (${damage.words}).`;
}
