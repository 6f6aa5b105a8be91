import { useStore } from 'zustand';
import type { SceneRecord } from '../../../../canvas/types.ts';
import type { ModelState } from '../../model/models/model-state.ts';
import { bySureness } from '../../model/models/suggestion-records.ts';
import { isOpenSuggestion } from '../../model/models/suggestions.ts';
import { useSceneRecords } from '../scene-hooks.ts';
import { useSession } from '../session-context.ts';

const openSuggestions = (all: readonly SceneRecord[]): readonly SceneRecord[] =>
  bySureness(all.filter(isOpenSuggestion));

/** Open proposals on the frame, highest score first. */
export const useSuggestions = (): readonly SceneRecord[] => useSceneRecords(openSuggestions);

export const useModels = <Value>(select: (state: ModelState) => Value): Value =>
  useStore(useSession().models.state, select);
