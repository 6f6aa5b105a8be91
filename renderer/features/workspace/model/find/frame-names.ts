export interface NamedFrame {
  readonly frame: number;
  readonly name: string;
}

/** `*` matches anything, `?` one character; a pattern without them matches any part of the name. Case-insensitive. */
function matcherOf(typed: string): (name: string) => boolean {
  const wanted = typed.toLowerCase();
  if (!/[*?]/.test(wanted)) return (name) => name.toLowerCase().includes(wanted);
  const pattern = wanted
    .replaceAll(/[\\^$.|+()[\]{}]/g, '\\$&')
    .replaceAll(/\*+/g, '.*')
    .replaceAll('?', '.');
  const whole = new RegExp(`^${pattern}$`, 's');
  return (name) => whole.test(name.toLowerCase()) || whole.test((name.split('/').at(-1) ?? '').toLowerCase());
}

/** Frames that match the typed text: the frame of that number first, then file names by ascending number. */
export function findFrames(frames: readonly NamedFrame[], typed: string): readonly NamedFrame[] {
  const wanted = typed.trim();
  if (wanted === '') return frames;
  const fits = matcherOf(wanted);
  const number = /^\d+$/.test(wanted) ? Number(wanted) : null;
  const numbered = frames.filter(({ frame }) => frame === number);
  return [...numbered, ...frames.filter(({ frame, name }) => frame !== number && fits(name))];
}

export const findLabels = <Label extends { readonly name: string }>(labels: readonly Label[], typed: string): Label[] =>
  typed.trim() === '' ? [] : labels.filter(({ name }) => name.toLowerCase().startsWith(typed.trim().toLowerCase()));
