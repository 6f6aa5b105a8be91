import { setImmediate as nextTurn } from 'node:timers/promises';

/** Milliseconds after which a count yields to other requests. */
const turnMs = 12;

export function createYielding(): () => Promise<void> | undefined {
  let began = performance.now();
  const letOthers = async (): Promise<void> => {
    await nextTurn();
    began = performance.now();
  };
  return () => (performance.now() - began < turnMs ? undefined : letOthers());
}

/**
 * Splits frames into ranges (first, last), in order, that are read at once.
 * @param most objects per range; more if one frame has more
 */
export function frameRanges(
  counts: readonly { readonly frame: number; readonly count: number }[],
  most: number,
): [number, number][] {
  const made: [number, number][] = [];
  let size = Infinity;
  for (const { frame, count } of counts) {
    const last = made.at(-1);
    if (last !== undefined && size + count <= most) last[1] = frame;
    else made.push([frame, frame]);
    size = last === made.at(-1) ? size + count : count;
  }
  return made;
}
