import { setImmediate as nextTurn } from 'node:timers/promises';

/** Others are answered in between when a count has gone on for so long. */
const turnMs = 12;

export function createTurns(): () => Promise<void> | undefined {
  let began = performance.now();
  const letOthers = async (): Promise<void> => {
    await nextTurn();
    began = performance.now();
  };
  return () => (performance.now() - began < turnMs ? undefined : letOthers());
}

/**
 * First and last frames, by rising frame, of what is read at once.
 * @param most objects; more where one frame has them
 */
export function portions(
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
