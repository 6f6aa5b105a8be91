export type SeededChoice = <Item>(items: readonly Item[], count: number) => Item[];

export interface SeededRandom {
  readonly choose: SeededChoice;
  readonly shuffle: <Item>(items: readonly Item[]) => Item[];
}

const stateLength = 624;
const period = 397;

export const createSeededChoice = (seed: number): SeededChoice => createSeededRandom(seed).choose;

/**
 * Random numbers of NumPy's `Generator(MT19937(seed))`, so that a seed selects the same frames as in CVAT: `choose` is
 * `choice(…, replace=False, shuffle=False)` for lists of up to ten thousand items or small counts, `shuffle` is
 * `shuffle` of a list.
 */
export function createSeededRandom(seed: number): SeededRandom {
  const next = mersenneTwister(seedState(seed, stateLength));

  /** Random integer from 0 to `largest`. Lemire's multiplication avoids modulo bias. */
  function bounded(largest: number): number {
    if (largest === 0) return 0;
    const range = BigInt(largest) + 1n;
    const threshold = (2n ** 32n - range) % range;
    for (;;) {
      const product = BigInt(next()) * range;
      if ((product & 0xffff_ffffn) >= threshold) return Number(product >> 32n);
    }
  }

  /** Random integer from 0 to `largest`, from the first number whose lowest bits are not larger. */
  function masked(largest: number): number {
    const mask = 2 ** (32 - Math.clz32(largest)) - 1;
    for (;;) {
      const value = (next() & mask) >>> 0;
      if (value <= largest) return value;
    }
  }

  return {
    choose(items, count) {
      // Floyd's algorithm: every step allows one more item; if an item was chosen already, the new one takes its place.
      const chosen = new Set<number>();
      for (let last = items.length - count; last < items.length; last += 1) {
        const index = bounded(last);
        chosen.add(chosen.has(index) ? last : index);
      }
      return [...chosen].flatMap((index) => items.slice(index, index + 1));
    },
    shuffle(items) {
      const shuffled = [...items];
      for (let last = shuffled.length - 1; last > 0; last -= 1) {
        const index = masked(last);
        [shuffled[last], shuffled[index]] = [shuffled[index]!, shuffled[last]!];
      }
      return shuffled;
    },
  };
}

/** The words of a seed, mixed as NumPy's `SeedSequence` does. */
function seedState(seed: number, words: number): Uint32Array {
  const pool = new Uint32Array(4);
  const entropy = seed < 2 ** 32 ? [seed] : [seed % 2 ** 32, Math.floor(seed / 2 ** 32)];
  let factor = 0x43b0_d7e5;
  const hash = (value: number): number => {
    const crossed = (value ^ factor) >>> 0;
    factor = Math.imul(factor, 0x931e_8875) >>> 0;
    const product = Math.imul(crossed, factor) >>> 0;
    return (product ^ (product >>> 16)) >>> 0;
  };
  const mix = (a: number, b: number): number => {
    const difference = (Math.imul(a, 0xca01_f9dd) - Math.imul(b, 0x4973_f715)) >>> 0;
    return (difference ^ (difference >>> 16)) >>> 0;
  };
  for (let index = 0; index < pool.length; index += 1) pool[index] = hash(entropy[index] ?? 0);
  for (let from = 0; from < pool.length; from += 1) {
    for (let to = 0; to < pool.length; to += 1) {
      if (from !== to) pool[to] = mix(pool[to] ?? 0, hash(pool[from] ?? 0));
    }
  }
  let second = 0x8b51_f9dd;
  return Uint32Array.from({ length: words }, (_, index) => {
    const crossed = ((pool[index % pool.length] ?? 0) ^ second) >>> 0;
    second = Math.imul(second, 0x58f3_8ded) >>> 0;
    const product = Math.imul(crossed, second) >>> 0;
    return (product ^ (product >>> 16)) >>> 0;
  });
}

function mersenneTwister(state: Uint32Array): () => number {
  state[0] = 0x8000_0000;
  let position = stateLength - 1;
  const at = (index: number): number => state[index % stateLength] ?? 0;
  function twist(): void {
    for (let index = 0; index < stateLength; index += 1) {
      const joined = (at(index) & 0x8000_0000) | (at(index + 1) & 0x7fff_ffff);
      state[index] = at(index + period) ^ (joined >>> 1) ^ (joined % 2 === 0 ? 0 : 0x9908_b0df);
    }
    position = 0;
  }
  return () => {
    if (position === stateLength) twist();
    let word = at(position);
    position += 1;
    word ^= word >>> 11;
    word ^= (word << 7) & 0x9d2c_5680;
    word ^= (word << 15) & 0xefc6_0000;
    word ^= word >>> 18;
    return word >>> 0;
  };
}
