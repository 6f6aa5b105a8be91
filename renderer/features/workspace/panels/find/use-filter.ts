import { useStore } from 'zustand';
import type { SceneRecord } from '../../../../canvas/types.ts';
import type { FilterState } from '../../model/find/filter-controller.ts';
import { useSceneRecords } from '../scene-hooks.ts';
import { useSession } from '../session-context.ts';

const hiddenByFilter = (all: readonly SceneRecord[]): readonly SceneRecord[] =>
  all.filter(({ filteredOut }) => filteredOut === true);

export const useFilteredOut = (): number => useSceneRecords(hiddenByFilter).length;

export const useFilter = <Value>(select: (state: FilterState) => Value): Value =>
  useStore(useSession().find.filter.state, select);
