/** Switches of the workspace that are remembered for the next job, apart for videos and for images. */
type KeptSwitch = 'timeline' | 'asTrack' | 'inspectorFolded';

const keyOf = (name: KeptSwitch, isVideo: boolean): string => `limner.${name}.${isVideo ? 'video' : 'images'}`;

/** As it was left; at first on for videos only. */
export const switchIsOn = (name: KeptSwitch, isVideo: boolean): boolean =>
  (globalThis.localStorage?.getItem(keyOf(name, isVideo)) ?? String(isVideo)) === 'true';

export function rememberSwitch(name: KeptSwitch, isVideo: boolean, isOn: boolean): void {
  try {
    globalThis.localStorage?.setItem(keyOf(name, isVideo), String(isOn));
  } catch {
    // The store is full: it is switched all the same, and forgotten.
  }
}

/** Choices of the person that hold for every job; off at first. */
type KeptChoice = 'wholeGroups' | 'showDeleted';

export const keptChoice = (name: KeptChoice): boolean => globalThis.localStorage?.getItem(`limner.${name}`) === 'true';

export function setKeptChoice(name: KeptChoice, isOn: boolean): void {
  try {
    globalThis.localStorage?.setItem(`limner.${name}`, String(isOn));
  } catch {
    // As above.
  }
}
