export interface NamedFrame {
  readonly frame: number;
  readonly name: string;
}

/** `*` stands for anything, `?` for one character; without them any part of the name will do. Case does not count. */
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

/** Frames by what was typed: the one of that number first, then those whose file name fits, by rising number. */
export function findFrames(frames: readonly NamedFrame[], typed: string): readonly NamedFrame[] {
  const wanted = typed.trim();
  if (wanted === '') return frames;
  const fits = matcherOf(wanted);
  const number = /^\d+$/.test(wanted) ? Number(wanted) : null;
  const numbered = frames.filter(({ frame }) => frame === number);
  return [...numbered, ...frames.filter(({ frame, name }) => frame !== number && fits(name))];
}

/** Labels whose name begins with what was typed. */
export const findLabels = <Label extends { readonly name: string }>(labels: readonly Label[], typed: string): Label[] =>
  typed.trim() === '' ? [] : labels.filter(({ name }) => name.toLowerCase().startsWith(typed.trim().toLowerCase()));
