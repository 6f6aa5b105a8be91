/**
 * Outlines of the set pixels of a bitmap, along pixel edges. Set pixels are 8-connected (corners connect), so unset
 * pixels are 4-connected.
 */
export interface ContourGroup {
  /** Ring around one connected part, clockwise on screen; x, y pairs of the corners only. */
  readonly outer: number[];
  /** Rings around the holes, counter-clockwise on screen. */
  readonly holes: number[][];
}

const stepX = [1, 0, -1, 0];
const stepY = [0, 1, 0, -1];

/** Doubled area, positive if the ring is clockwise on screen. Exact, because the coordinates are integers. */
function doubledArea(ring: readonly number[]): number {
  let sum = 0;
  for (let index = 0; index < ring.length; index += 2) {
    const next = (index + 2) % ring.length;
    sum += ring[index]! * ring[next + 1]! - ring[next]! * ring[index + 1]!;
  }
  return sum;
}

/** Numbers every connected part of the bitmap from 1, in two passes over runs with union-find. */
function labelParts(bitmap: Uint8Array, width: number, height: number): Int32Array {
  const labels = new Int32Array(width * height);
  const parents: number[] = [0];
  const rootOf = (label: number): number => {
    let root = label;
    while (parents[root] !== root) root = parents[root]!;
    for (let step = label; step !== root;) {
      const next = parents[step]!;
      parents[step] = root;
      step = next;
    }
    return root;
  };
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const index = y * width + x;
      if (bitmap[index] === 0) continue;
      let label = x > 0 ? labels[index - 1]! : 0;
      for (let dx = -1; dx <= 1; dx += 1) {
        if (y === 0 || x + dx < 0 || x + dx >= width) continue;
        const above = labels[index - width + dx]!;
        if (above === 0) continue;
        if (label === 0) {
          label = above;
          continue;
        }
        const a = rootOf(label);
        const b = rootOf(above);
        if (a !== b) parents[Math.max(a, b)] = Math.min(a, b);
      }
      if (label === 0) {
        label = parents.length;
        parents.push(label);
      }
      labels[index] = label;
    }
  }
  for (let index = 0; index < labels.length; index += 1)
    if (labels[index] !== 0) labels[index] = rootOf(labels[index]!);
  return labels;
}

/** Outlines of a row-major bitmap, in the order of each part's first pixel. */
export function traceContours(bitmap: Uint8Array, width: number, height: number): ContourGroup[] {
  const isSet = (x: number, y: number): boolean =>
    x >= 0 && y >= 0 && x < width && y < height && bitmap[y * width + x] !== 0;
  const isTraced = new Uint8Array(width * height);

  /** Follows the ring that runs right along the top edge of a pixel, with the set pixels on its right. */
  const trace = (startX: number, startY: number): number[] => {
    const ring: number[] = [];
    let x = startX;
    let y = startY;
    let heading = 0;
    do {
      if (heading === 0) isTraced[y * width + x] = 1;
      x += stepX[heading]!;
      y += stepY[heading]!;
      const forwardX = stepX[heading]!;
      const forwardY = stepY[heading]!;
      // The two pixels ahead of this corner, left and right of the path.
      const cornerX = x + (forwardX - 1) / 2;
      const cornerY = y + (forwardY - 1) / 2;
      const left = isSet(cornerX + forwardY / 2, cornerY - forwardX / 2);
      const right = isSet(cornerX - forwardY / 2, cornerY + forwardX / 2);
      if (!left && right) continue;
      heading = (heading + (left ? 3 : 1)) % 4;
      ring.push(x, y);
    } while (x !== startX || y !== startY || heading !== 0);
    return ring;
  };

  const labels = labelParts(bitmap, width, height);
  const groups = new Map<number, ContourGroup>();
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const index = y * width + x;
      if (bitmap[index] === 0 || isTraced[index] === 1 || isSet(x, y - 1)) continue;
      const ring = trace(x, y);
      const label = labels[index]!;
      const group = groups.get(label);
      // The first pixel of a part is on its outer ring, so that ring is always found first.
      if (group === undefined) groups.set(label, { outer: ring, holes: [] });
      else if (doubledArea(ring) < 0) group.holes.push(ring);
    }
  }
  return [...groups.values()];
}
