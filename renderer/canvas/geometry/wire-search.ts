/** Factors for the cost of a step to a neighbour: a diagonal one is about √2 as long. */
export const stepWeight = { straight: 5, diagonal: 7 };
const { straight, diagonal } = stepWeight;

/**
 * Shortest paths from one position of a grid to any other (Dijkstra). Searches only as far as requested and resumes
 * later.
 * @param costs of stepping onto each position, integers of at least 1, in rows of `columns`
 */
export function createWireSearch(costs: Uint16Array, columns: number, start: number) {
  const distances = new Int32Array(costs.length).fill(0x7fffffff);
  const cameFrom = new Int32Array(costs.length).fill(-1);
  const rows = costs.length / columns;
  // Waiting positions are at most one step ahead, so a ring of lists by distance suffices as priority queue. A position
  // is in at most one list, linked by `before` and `after`; -1 ends a list.
  let dearest = 1;
  for (let at = 0; at < costs.length; at += 1) dearest = Math.max(dearest, costs[at] ?? 0);
  const lists = new Int32Array(dearest * diagonal + 1).fill(-1);
  const before = new Int32Array(costs.length);
  const after = new Int32Array(costs.length);
  const waits = 1;
  const settled = 2;
  const states = new Uint8Array(costs.length);
  let distance = 0;

  const leave = (at: number): void => {
    const [previous, next] = [before[at] ?? -1, after[at] ?? -1];
    if (previous >= 0) after[previous] = next;
    else lists[(distances[at] ?? 0) % lists.length] = next;
    if (next >= 0) before[next] = previous;
  };
  const enter = (at: number, through: number): void => {
    const list = through % lists.length;
    const next = lists[list] ?? -1;
    distances[at] = through;
    before[at] = -1;
    after[at] = next;
    if (next >= 0) before[next] = at;
    lists[list] = at;
    states[at] = waits;
  };
  const offer = (next: number, from: number, weight: number): void => {
    const state = states[next];
    if (state === settled) return;
    const through = distance + weight * (costs[next] ?? 1);
    if (through >= (distances[next] ?? 0)) return;
    if (state === waits) leave(next);
    enter(next, through);
    cameFrom[next] = from;
  };
  const settle = (at: number): void => {
    leave(at);
    states[at] = settled;
    const x = at % columns;
    const [up, down] = [at >= columns, at < (rows - 1) * columns];
    if (up) offer(at - columns, at, straight);
    if (down) offer(at + columns, at, straight);
    if (x > 0) {
      offer(at - 1, at, straight);
      if (up) offer(at - columns - 1, at, diagonal);
      if (down) offer(at + columns - 1, at, diagonal);
    }
    if (x < columns - 1) {
      offer(at + 1, at, straight);
      if (up) offer(at - columns + 1, at, diagonal);
      if (down) offer(at + columns + 1, at, diagonal);
    }
  };
  enter(start, 0);

  return {
    /** Positions from the start to the target, both included; each is a neighbour of the previous one. */
    pathTo(target: number): number[] {
      // Every position is reachable from every other.
      while (states[target] !== settled) {
        const at = lists[distance % lists.length] ?? -1;
        if (at >= 0) settle(at);
        else distance += 1;
      }
      const path: number[] = [];
      for (let at = target; at >= 0; at = cameFrom[at] ?? -1) path.push(at);
      return path.reverse();
    },
  };
}

export type WireSearch = ReturnType<typeof createWireSearch>;
