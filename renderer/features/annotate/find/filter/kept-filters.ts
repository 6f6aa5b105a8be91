import { z } from 'zod';
import type { JsonLogic } from '../../../../../preload/contract/object-filter/filter-logic.ts';

const logicSchema = z.record(z.string(), z.unknown());
const savedSchema = z.object({ name: z.string(), logic: logicSchema });
const keptSchema = z.object({ saved: z.array(savedSchema), recent: z.array(logicSchema) });

/** JSON Logic, as other programs read it: what a filter asks of the labels is looked up when it is used. */
export interface SavedFilter {
  readonly name: string;
  readonly logic: JsonLogic;
}
export interface KeptFilters {
  /** By name. */
  readonly saved: readonly SavedFilter[];
  /** The newest first. */
  readonly recent: readonly JsonLogic[];
}

const key = 'limner.filters';
const mostRecent = 10;

const isSame = (one: JsonLogic, other: JsonLogic): boolean => JSON.stringify(one) === JSON.stringify(other);

export const withSaved = ({ saved, recent }: KeptFilters, filter: SavedFilter): KeptFilters => ({
  saved: [...saved.filter(({ name }) => name !== filter.name), filter].toSorted((a, b) => a.name.localeCompare(b.name)),
  recent,
});
export const withoutSaved = ({ saved, recent }: KeptFilters, gone: string): KeptFilters => ({
  saved: saved.filter(({ name }) => name !== gone),
  recent,
});
export const withRecent = ({ saved, recent }: KeptFilters, logic: JsonLogic): KeptFilters => ({
  saved,
  recent: [logic, ...recent.filter((one) => !isSame(one, logic))].slice(0, mostRecent),
});
/** What the filter is called, if it is a saved one. */
export const nameOf = ({ saved }: KeptFilters, logic: JsonLogic): string | null =>
  saved.find((filter) => isSame(filter.logic, logic))?.name ?? null;

/** The filters of this computer's user, whatever job is open. */
export function readFilters(store: Pick<Storage, 'getItem'>): KeptFilters {
  try {
    return keptSchema.parse(JSON.parse(store.getItem(key) ?? 'null'));
  } catch {
    return { saved: [], recent: [] };
  }
}

/** False: they did not fit into the store. */
export function writeFilters(store: Pick<Storage, 'setItem'>, kept: KeptFilters): boolean {
  try {
    store.setItem(key, JSON.stringify(kept));
    return true;
  } catch {
    return false;
  }
}
