import { z } from 'zod';
import type { JsonLogic } from '../../../../../preload/contract/object-filter/filter-logic.ts';

const logicSchema = z.record(z.string(), z.unknown());
const savedSchema = z.object({ name: z.string(), logic: logicSchema });
const keptSchema = z.object({ saved: z.array(savedSchema), recent: z.array(logicSchema) });

/** JSON Logic as other programs read it. Labels are resolved when the filter is used. */
export interface SavedFilter {
  readonly name: string;
  readonly logic: JsonLogic;
}
export interface SavedFilters {
  readonly saved: readonly SavedFilter[];
  /** Newest first. */
  readonly recent: readonly JsonLogic[];
}

const key = 'limner.filters';
const mostRecent = 10;

const isSame = (one: JsonLogic, other: JsonLogic): boolean => JSON.stringify(one) === JSON.stringify(other);

export const withSaved = ({ saved, recent }: SavedFilters, filter: SavedFilter): SavedFilters => ({
  saved: [...saved.filter(({ name }) => name !== filter.name), filter].toSorted((a, b) => a.name.localeCompare(b.name)),
  recent,
});
export const withoutSaved = ({ saved, recent }: SavedFilters, gone: string): SavedFilters => ({
  saved: saved.filter(({ name }) => name !== gone),
  recent,
});
export const withRecent = ({ saved, recent }: SavedFilters, logic: JsonLogic): SavedFilters => ({
  saved,
  recent: [logic, ...recent.filter((one) => !isSame(one, logic))].slice(0, mostRecent),
});
/** Name of a saved filter; null for an unsaved one. */
export const nameOf = ({ saved }: SavedFilters, logic: JsonLogic): string | null =>
  saved.find((filter) => isSame(filter.logic, logic))?.name ?? null;

export function readFilters(store: Pick<Storage, 'getItem'>): SavedFilters {
  try {
    return keptSchema.parse(JSON.parse(store.getItem(key) ?? 'null'));
  } catch {
    return { saved: [], recent: [] };
  }
}

/** False if the storage is full. */
export function writeFilters(store: Pick<Storage, 'setItem'>, kept: SavedFilters): boolean {
  try {
    store.setItem(key, JSON.stringify(kept));
    return true;
  } catch {
    return false;
  }
}
