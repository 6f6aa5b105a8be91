import { useStore } from 'zustand';
import { useSession } from '../session-context.ts';
import type { FilterState } from './filter/filter-desk.ts';

export const useFilter = <Value>(select: (state: FilterState) => Value): Value =>
  useStore(useSession().find.filter.state, select);
