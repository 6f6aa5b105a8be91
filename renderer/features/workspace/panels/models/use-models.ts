import { useMemo } from 'react';
import { useStore } from 'zustand';
import type { SceneRecord } from '../../../../canvas/types.ts';
import type { ModelState } from '../../model/models/model-state.ts';
import { inListOrder } from '../../model/models/suggestion-records.ts';
import { isOpenSuggestion } from '../../model/models/suggestions.ts';
import { useSceneRecords } from '../scene-hooks.ts';
import { useAnnotate, useSession } from '../session-context.ts';

const openSuggestions = (all: readonly SceneRecord[]): readonly SceneRecord[] => all.filter(isOpenSuggestion);

/** Open proposals on the frame in the order of the list. */
export function useSuggestions(): readonly SceneRecord[] {
  const labels = useAnnotate((state) => state.labels);
  const open = useSceneRecords(openSuggestions);
  return useMemo(() => inListOrder(open, labels), [open, labels]);
}

export const useModels = <Value>(select: (state: ModelState) => Value): Value =>
  useStore(useSession().models.state, select);
