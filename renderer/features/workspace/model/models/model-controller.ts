import { createStore } from 'zustand/vanilla';
import type { LambdaFunction } from '../../../../../preload/contract/schema/functions.ts';
import { call } from '../../../../api/client.ts';
import type { SessionParts } from '../types.ts';
import { createFrameDetection } from './detection.ts';
import { createInteraction } from './interaction.ts';
import { initialModelState, type ModelState } from './model-state.ts';
import type { SuggestionStore } from './suggestion-store.ts';
import { createOfferedSuggestions } from './offered-suggestions.ts';
import { createSuggestions } from './suggestions.ts';
import { createTaskRun } from './task-run.ts';
import { createTracking } from './tracking.ts';

interface ModelControllerParts extends Pick<SessionParts, 'job' | 'engine' | 'store' | 'metaOf'> {
  readonly suggestionStore: SuggestionStore;
  readonly whenSaved: () => Promise<void>;
  readonly refresh: (cleanup: boolean) => Promise<void>;
}

export function createModelController(parts: ModelControllerParts) {
  const { job, engine, store, metaOf, suggestionStore, whenSaved, refresh } = parts;
  const state = createStore<ModelState>(() => initialModelState);
  const labels = () => store.getState().labels;
  const suggestions = createSuggestions({ engine, suggestionStore, state, labels });
  const offered = createOfferedSuggestions({
    job,
    engine,
    store,
    suggestionStore,
    suggestions,
    whenSaved,
    onNames: (names) => state.setState({ programs: { ...state.getState().programs, ...names } }),
  });
  const detection = createFrameDetection({ job, store, state, suggestions, whenSaved });
  const taskRun = createTaskRun({ job, store, state, whenSaved, refresh });
  const interaction = createInteraction({ job, engine, store, metaOf, state });
  const tracking = createTracking({ job, engine, state });
  const openPanel = (): void => store.setState({ panel: 'models' });
  void taskRun.find();
  call('getTextPrompts', { params: { id: job.id } }).then(
    ({ prompts }) => state.setState({ keptPhrases: prompts }),
    // The field for phrases then starts empty.
    () => undefined,
  );

  return {
    state,
    suggestions,
    detection,
    taskRun,
    interaction,
    tracking,
    openPanel,
    choose(model: LambdaFunction) {
      state.setState({ chosen: model, note: null });
      if (engine.getTool().id === 'prompt' && model.kind !== 'interactor') engine.setTool('select');
    },
    /** Opens the panel with the chosen or the first interactor armed. */
    async point(): Promise<void> {
      openPanel();
      const { chosen } = state.getState();
      const model =
        chosen?.kind === 'interactor'
          ? chosen
          : (await call('listLambdaFunctions', {}).catch(() => [])).find(({ kind }) => kind === 'interactor');
      if (model !== undefined) interaction.arm(model);
    },
    close() {
      detection.cancel();
      tracking.cancel();
      taskRun.close();
      interaction.close();
      offered.close();
      suggestions.close();
    },
  };
}
