import { createStore } from 'zustand/vanilla';
import { filterFields, type FilterField } from '../../../../../preload/contract/object-filter/filter-fields.ts';
import { readFilter, writeFilter, type JsonLogic } from '../../../../../preload/contract/object-filter/filter-logic.ts';
import { createMatch, type FilterObject } from '../../../../../preload/geometry/filter-match.ts';
import {
  completed,
  FilterError,
  type FilterGroup,
} from '../../../../../preload/contract/object-filter/object-filter.ts';
import type { CanvasEngine } from '../../../../canvas/canvas-engine.ts';
import type { SceneRecord } from '../../../../canvas/types.ts';
import { text } from '../../../../i18n/index.ts';
import { notify } from '../../../../ui/notify.ts';
import type { AnnotateStore } from '../types.ts';
import { isUnnamed } from '../labels/unnamed-shapes.ts';
import { isSuggestion } from '../models/suggestion-store.ts';
import {
  nameOf,
  readFilters,
  withoutSaved,
  withRecent,
  withSaved,
  writeFilters,
  type SavedFilters,
} from './saved-filters.ts';

export interface FilterState {
  readonly open: boolean;
  /** Content of the form, including incomplete rules. */
  readonly draft: FilterGroup;
  /** The active filter; null if none. */
  readonly logic: JsonLogic | null;
  /** Name of the active saved filter. */
  readonly name: string | null;
  readonly kept: SavedFilters;
}

const nothing: FilterGroup = { kind: 'group', join: 'all', of: [] };

/** Filterable properties of an object on the displayed frame. */
function factsOf(record: SceneRecord): FilterObject {
  const { serverId = null, labelId, frame, group, source, attributes } = record;
  const common = { serverId, labelId, frame, group, source, attributes };
  if (record.kind === 'tag') return { ...common, type: 'tag', shape: null };
  const { type, points, rotation, occluded, score, zOrder, elements, trackId } = record;
  const isTrack = trackId !== undefined;
  return {
    ...common,
    type: isTrack ? 'track' : 'shape',
    shape: {
      type,
      points,
      rotation,
      occluded,
      zOrder,
      // The service stores no score for tracks.
      score: isTrack ? null : score,
      ...(elements === undefined ? {} : { elements }),
    },
  };
}

interface FilterParts {
  readonly engine: Pick<CanvasEngine, 'setFilter'>;
  readonly store: Pick<AnnotateStore, 'getState' | 'subscribe'>;
  readonly kept: Pick<Storage, 'getItem' | 'setItem'>;
}

/** Object filter of the job. Edits in the form apply at once. */
export function createFilterController({ engine, store, kept: storage }: FilterParts) {
  const state = createStore<FilterState>(() => ({
    open: false,
    draft: nothing,
    logic: null,
    name: null,
    kept: readFilters(storage),
  }));
  const labels = () => store.getState().labels;
  const fields = (): ReadonlyMap<string, FilterField> => filterFields(labels());

  const passesNow = (): ((record: SceneRecord) => boolean) => {
    const active = completed(state.getState().draft);
    const matches = active === null ? null : createMatch(active, fields(), labels());
    return (record) => matches === null || matches(factsOf(record));
  };
  /** Proposals of models have their own filter, and unnamed shapes must stay visible. */
  const apply = (): void => {
    const active = completed(state.getState().draft);
    const passes = active === null ? null : passesNow();
    engine.setFilter(passes && ((record) => isSuggestion(record) || isUnnamed(record) || passes(record)));
    const logic = active === null ? null : writeFilter(active);
    state.setState(({ kept }) => ({ logic, name: logic === null ? null : nameOf(kept, logic) }));
  };
  const keep = (kept: SavedFilters): void => {
    const { logic } = state.getState();
    state.setState({ kept, name: logic === null ? null : nameOf(kept, logic) });
    if (!writeFilters(storage, kept)) notify.hint('filter', text('find.filter.notKept'));
  };
  const stop = store.subscribe((now, before) => {
    if (now.labels !== before.labels && state.getState().logic !== null) apply();
  });
  const write = (draft: FilterGroup): void => {
    state.setState({ draft });
    apply();
  };

  return {
    state,
    fields,
    /** True if the object passes the active filter, or none is active. */
    passes: passesNow,
    write,
    /** Activates a filter. Returns the reason if it does not fit this job's labels, else null. */
    use(logic: unknown): string | null {
      try {
        write(readFilter(logic, fields()));
        return null;
      } catch (error) {
        if (error instanceof FilterError) return error.message;
        throw error;
      }
    },
    clear: () => write(nothing),
    remember() {
      const { logic, kept } = state.getState();
      if (logic !== null) keep(withRecent(kept, logic));
    },
    save(name: string) {
      const { logic, kept } = state.getState();
      if (logic !== null) keep(withSaved(kept, { name, logic }));
    },
    drop: (name: string) => keep(withoutSaved(state.getState().kept, name)),
    setOpen(open: boolean) {
      if (!open && state.getState().open) this.remember();
      state.setState({ open });
    },
    close: stop,
  };
}
