import type { Figures, Refusal, ServiceUnderTest } from './service-under-test.ts';

export interface Operation<World> {
  readonly name: string;
  readonly run: (world: World, service: ServiceUnderTest) => Promise<unknown>;
  /** Default 1. */
  readonly times?: number;
  /** True if the operation mostly waits, so that the cost of the other client is a large part of its CPU time. */
  readonly isMostlyWaiting?: boolean;
  /** Largest size of the short form, because larger ones take too long for it. */
  readonly shortUpTo?: number;
}

export interface SeriesDefinition<World> {
  readonly name: string;
  /** The unit of the sizes. */
  readonly unit: string;
  readonly short: readonly number[];
  /** Sizes of `--long`, in addition. */
  readonly long: readonly number[];
  readonly prepare: (service: ServiceUnderTest, size: number, shared: string) => Promise<World>;
  /** Slow ones last: an operation above the limit ends the service and so the rest of its size. */
  readonly operations: readonly Operation<World>[];
}

export interface RunOptions {
  readonly size: number;
  /** A folder for files that all services of the run use. */
  readonly shared: string;
  readonly isLong: boolean;
  readonly limitMs: number;
  /** Operations that took too long at a smaller size. */
  readonly skipped: Set<string>;
}

export interface Series {
  readonly name: string;
  readonly unit: string;
  readonly short: readonly number[];
  readonly long: readonly number[];
  readonly operations: readonly string[];
  readonly run: (service: ServiceUnderTest, options: RunOptions) => Promise<ReadonlyMap<string, Figures | Refusal>>;
}

/** A series of sizes. The type of its world is known only inside. */
export function series<World>(definition: SeriesDefinition<World>): Series {
  const { operations, prepare, ...rest } = definition;
  return {
    ...rest,
    operations: operations.map(({ name }) => name),
    async run(service, { size, shared, isLong, limitMs, skipped }) {
      const found = new Map<string, Figures | Refusal>();
      const world = await prepare(service, size, shared);
      for (const { name, run, times = 1, shortUpTo = Infinity, isMostlyWaiting = false } of operations) {
        if (skipped.has(name) || (!isLong && size > shortUpTo)) continue;
        const figures = await service.measure(() => run(world, service), { times, limitMs, isMostlyWaiting });
        found.set(name, figures);
        if (service.server.isRunning()) continue;
        skipped.add(name);
        break;
      }
      return found;
    },
  };
}
