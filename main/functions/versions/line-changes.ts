/** A line that is unchanged, added or removed; `skipped` is the number of omitted unchanged lines. */
export interface LineChange {
  readonly kind: 'same' | 'added' | 'removed' | 'skipped';
  readonly text: string;
}

const linesAround = 3;
/** For larger tables, the differing middle is shown as replaced. */
const mostCells = 4_000_000;

const linesOf = (text: string): string[] => {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
};

export function lineChanges(before: string, after: string): LineChange[] {
  const [old, next] = [linesOf(before), linesOf(after)];
  let start = 0;
  while (start < Math.min(old.length, next.length) && old[start] === next[start]) start += 1;
  let end = 0;
  const shorter = Math.min(old.length, next.length) - start;
  while (end < shorter && old[old.length - 1 - end] === next[next.length - 1 - end]) end += 1;
  const same = (lines: readonly string[]) => lines.map((text): LineChange => ({ kind: 'same', text }));
  return shortened([
    ...same(old.slice(0, start)),
    ...middleChanges(old.slice(start, old.length - end), next.slice(start, next.length - end)),
    ...same(old.slice(old.length - end)),
  ]);
}

function middleChanges(old: readonly string[], next: readonly string[]): LineChange[] {
  const width = next.length + 1;
  const isLarge = old.length * next.length > mostCells;
  const common = new Uint32Array(isLarge ? 0 : (old.length + 1) * width);
  if (!isLarge) {
    for (let i = old.length - 1; i >= 0; i -= 1) {
      for (let j = next.length - 1; j >= 0; j -= 1) {
        const below = common[(i + 1) * width + j] ?? 0;
        const beside = common[i * width + j + 1] ?? 0;
        const both = (common[(i + 1) * width + j + 1] ?? 0) + 1;
        common[i * width + j] = old[i] === next[j] ? both : Math.max(below, beside);
      }
    }
  }
  const changes: LineChange[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < next.length) {
    const [text = '', other = ''] = [old[i], next[j]];
    if (!isLarge && i < old.length && j < next.length && text === other) {
      changes.push({ kind: 'same', text });
      i += 1;
      j += 1;
    } else if (i < old.length && (j >= next.length || isLarge || goesFirst(common, width, i, j))) {
      changes.push({ kind: 'removed', text });
      i += 1;
    } else {
      changes.push({ kind: 'added', text: other });
      j += 1;
    }
  }
  return changes;
}

const goesFirst = (common: Uint32Array, width: number, i: number, j: number): boolean =>
  (common[(i + 1) * width + j] ?? 0) >= (common[i * width + j + 1] ?? 0);

/** Keeps lines near a change and counts the omitted ones. */
function shortened(changes: readonly LineChange[]): LineChange[] {
  const isNear = changes.map(() => false);
  changes.forEach(({ kind }, index) => {
    if (kind !== 'same') isNear.fill(true, Math.max(0, index - linesAround), index + linesAround + 1);
  });
  const shown: LineChange[] = [];
  let left = 0;
  const tell = () => {
    if (left > 0) shown.push({ kind: 'skipped', text: String(left) });
    left = 0;
  };
  changes.forEach((change, index) => {
    if (isNear[index] !== true) {
      left += 1;
      return;
    }
    tell();
    shown.push(change);
  });
  tell();
  return shown.every(({ kind }) => kind === 'skipped') ? [] : shown;
}
