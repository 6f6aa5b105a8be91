import {
  freeMiB,
  InsufficientMemory,
  placeOnGpus,
  usableMiB,
  usedMiB,
  type GpuNeed,
  type Gpu,
} from '../gpu/gpu-budget.ts';
import { couldEverFit } from '../gpu/evict.ts';
import type { NvidiaSmi } from '../gpu/nvidia-smi.ts';
import type { FunctionRecord } from '../records/function-record.ts';
import { createGpuLedger, requestOf } from './gpu-ledger.ts';
import { createGpuQueue, unmonitored, type GpuChoice, type PlaceHow, type Resident } from './gpu-queue.ts';

export type GpuScheduler = ReturnType<typeof createGpuScheduler>;

const statusKeptMs = 10_000;

/** GPU scheduler: assigns free GPUs at once and queues other requests. */
export function createGpuScheduler(dependencies: {
  readonly run: NvidiaSmi;
  readonly records: () => FunctionRecord[];
  readonly processesOf: (record: FunctionRecord) => Promise<readonly number[] | null>;
  readonly cardBudgetMiB?: () => number | null;
  readonly nowMs?: () => number;
  /** For tests; replaces `setTimeout`. */
  readonly later?: (work: () => void, milliseconds: number) => void;
}) {
  const ledger = createGpuLedger(dependencies);
  const line = createGpuQueue({
    ledger,
    nowMs: dependencies.nowMs ?? Date.now,
    later: dependencies.later ?? ((work, milliseconds) => void setTimeout(work, milliseconds).unref()),
  });
  let known: { readonly at: number; readonly cards: Promise<readonly Gpu[]> } | null = null;

  return {
    ...line,
    keep: ledger.keep,
    measure: ledger.measure,
    heldNow: ledger.heldNow,
    release(functionName: string): void {
      ledger.release(functionName);
      line.news();
    },
    /** Forecasts a placement without reserving it. @throws AppError 409, or 400 for a GPU that does not exist */
    async foresee(need: GpuNeed, residents: readonly Resident[]): Promise<GpuChoice> {
      if (need.count === 0) return unmonitored(need);
      const cards = await ledger.look();
      if (cards.length === 0) return unmonitored(need);
      const request = requestOf(need);
      try {
        const { cards: chosen, warnings } = placeOnGpus(request, cards, ledger.shares());
        return { cards: chosen.map(({ uuid }) => uuid), warnings };
      } catch (error) {
        const mayLeave = (name: string) => residents.some((one) => one.name === name && one.mayRest());
        if (!(error instanceof InsufficientMemory) || !couldEverFit(request, cards, ledger.shares(), mayLeave))
          throw error;
        return {
          cards: null,
          warnings: [
            `${error.shortage} Idle functions are stopped for it if that is sufficient; otherwise it waits in the queue.`,
          ],
        };
      }
    },
    /**
     * Reserves GPUs until `release`, and waits in the queue if necessary. @throws AppError 409 if the request can never
     * fit
     */
    async place(need: GpuNeed, residents: () => readonly Resident[], how: PlaceHow = {}): Promise<GpuChoice> {
      return need.count === 0 ? unmonitored(need) : line.stand(need, residents, how);
    },
    /** Reserves GPUs next to the running version without evicting a function; null if that does not fit. */
    async placeBeside(need: GpuNeed): Promise<GpuChoice | null> {
      const cards = await ledger.look();
      // Queued requests have priority.
      if (cards.length === 0 || !line.isEmpty()) return null;
      ledger.besides(need.functionName, true);
      try {
        // An empty name, so that the memory of the running version counts as used.
        const { cards: chosen, warnings } = placeOnGpus(
          { ...requestOf(need), functionName: '' },
          cards,
          ledger.shares(),
        );
        return { cards: ledger.hold(need, chosen), warnings };
      } catch {
        ledger.besides(need.functionName, false);
        return null;
      }
    },
    async status() {
      if (known === null || performance.now() - known.at > statusKeptMs) {
        known = { at: performance.now(), cards: ledger.look() };
      }
      const all = ledger.shares();
      return (await known.cards).map((card) => ({
        index: card.index,
        uuid: card.uuid,
        name: card.name,
        memory_mib: card.memoryMiB,
        usable_mib: usableMiB(card),
        used_mib: usedMiB(card, all),
        free_mib: Math.max(0, freeMiB(card, all)),
        external_mib: card.externalMiB ?? null,
        functions: all.filter(({ uuid }) => uuid === card.uuid).map(({ functionName }) => functionName),
      }));
    },
  };
}
