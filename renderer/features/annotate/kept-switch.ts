/** Switches of the workspace that are remembered for the next job, apart for videos and for images. */
type KeptSwitch = 'inspectorFolded';

const keyOf = (name: KeptSwitch | 'dock', isVideo: boolean): string => `limner.${name}.${isVideo ? 'video' : 'images'}`;

/** For the next job of this person. */
export function keep(key: string, value: string): void {
  try {
    globalThis.localStorage?.setItem(key, value);
  } catch {
    // The store is full: it is chosen all the same, and forgotten.
  }
}

/** As it was left; at first on for videos only. */
export const switchIsOn = (name: KeptSwitch, isVideo: boolean): boolean =>
  (globalThis.localStorage?.getItem(keyOf(name, isVideo)) ?? String(isVideo)) === 'true';

export const rememberSwitch = (name: KeptSwitch, isVideo: boolean, isOn: boolean): void =>
  keep(keyOf(name, isVideo), String(isOn));

interface TrackJob {
  readonly id: number;
  readonly mode: string;
}

/** Whether a job draws tracks, as it was left; at first only videos do. Never taken over from another job. */
export const drawsTracks = ({ id, mode }: TrackJob): boolean =>
  (globalThis.localStorage?.getItem(`limner.asTrack.${id}`) ?? String(mode === 'interpolation')) === 'true';

export const rememberTracks = ({ id }: TrackJob, isOn: boolean): void => keep(`limner.asTrack.${id}`, String(isOn));

/** Choices of the person that hold for every job; off at first. */
type KeptChoice = 'wholeGroups' | 'showDeleted';

export const keptChoice = (name: KeptChoice): boolean => globalThis.localStorage?.getItem(`limner.${name}`) === 'true';

export const setKeptChoice = (name: KeptChoice, isOn: boolean): void => keep(`limner.${name}`, String(isOn));

/** What lies under the picture. */
export type Dock = 'timeline' | 'frames';

/** From this width on there is room for the frames of a job of images. */
const wideWindowPx = 1600;

/** As it was left; at first the timeline for videos, and the frames where the window is wide. */
export function keptDock(isVideo: boolean): Dock | null {
  const kept = globalThis.localStorage?.getItem(keyOf('dock', isVideo));
  if (kept === 'timeline' || kept === 'frames') return kept;
  if (kept === 'closed') return null;
  if (isVideo) return 'timeline';
  return (globalThis.innerWidth ?? 0) >= wideWindowPx ? 'frames' : null;
}

export const rememberDock = (isVideo: boolean, dock: Dock | null): void =>
  keep(keyOf('dock', isVideo), dock ?? 'closed');
