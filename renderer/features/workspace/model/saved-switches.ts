/** Switches saved for the next job, separately for videos and images. */
type KeptSwitch = 'inspectorFolded';

const keyOf = (name: KeptSwitch | 'dock', isVideo: boolean): string => `limner.${name}.${isVideo ? 'video' : 'images'}`;

export function keep(key: string, value: string): void {
  try {
    globalThis.localStorage?.setItem(key, value);
  } catch {
    // The storage is full: the choice applies until the window closes.
  }
}

/** The saved state; by default on for videos only. */
export const isSwitchOn = (name: KeptSwitch, isVideo: boolean): boolean =>
  (globalThis.localStorage?.getItem(keyOf(name, isVideo)) ?? String(isVideo)) === 'true';

export const saveSwitch = (name: KeptSwitch, isVideo: boolean, isOn: boolean): void =>
  keep(keyOf(name, isVideo), String(isOn));

interface TrackJob {
  readonly id: number;
  readonly mode: string;
}

/** True if the job draws tracks: the saved choice of this job, by default true for videos. */
export const drawsTracks = ({ id, mode }: TrackJob): boolean =>
  (globalThis.localStorage?.getItem(`limner.asTrack.${id}`) ?? String(mode === 'interpolation')) === 'true';

export const saveDrawsTracks = ({ id }: TrackJob, isOn: boolean): void => keep(`limner.asTrack.${id}`, String(isOn));

/** Settings for all jobs; off by default. */
type KeptChoice = 'wholeGroups' | 'showDeleted';

export const savedChoice = (name: KeptChoice): boolean => globalThis.localStorage?.getItem(`limner.${name}`) === 'true';

export const saveChoice = (name: KeptChoice, isOn: boolean): void => keep(`limner.${name}`, String(isOn));

export type Dock = 'timeline' | 'frames';

/** Minimum width that shows the frame strip of an image job by default. */
const wideWindowPx = 1600;

/** The saved panel. Default: timeline for videos, frames in wide windows. */
export function savedDock(isVideo: boolean): Dock | null {
  const kept = globalThis.localStorage?.getItem(keyOf('dock', isVideo));
  if (kept === 'timeline' || kept === 'frames') return kept;
  if (kept === 'closed') return null;
  if (isVideo) return 'timeline';
  return (globalThis.innerWidth ?? 0) >= wideWindowPx ? 'frames' : null;
}

export const saveDock = (isVideo: boolean, dock: Dock | null): void => keep(keyOf('dock', isVideo), dock ?? 'closed');
