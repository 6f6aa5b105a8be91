import { z } from 'zod';
import type { StoreApi } from 'zustand/vanilla';
import type { LambdaFunction } from '../../../../../preload/contract/schema/functions.ts';
import { labeledDataSchema } from '../../../../../preload/contract/schema/annotations.ts';
import type { Label } from '../../../../../preload/contract/schema/labels.ts';
import { call, wasCancelled } from '../../../../api/client.ts';
import { text } from '../../../../i18n/index.ts';
import {
  completeChoice,
  fillsObjects,
  mappedCount,
  mappingBody,
  withOwnLabels,
} from '../../../../shared/models/model-labels.ts';
import { defaultDetectorOptions, reasonOf, type DetectorOptions, type ModelState } from './model-state.ts';
import { suggestionsFrom } from './suggestion-records.ts';
import type { SessionParts } from '../types.ts';
import type { Suggestions } from './suggestions.ts';

export function detectorOptions(state: ModelState, model: LambdaFunction, labels: readonly Label[]): DetectorOptions {
  const options = state.detectors[model.id] ?? { ...defaultDetectorOptions, phrases: state.keptPhrases };
  const { labels_v2: own } = withOwnLabels(model, options, labels);
  return { ...options, choice: completeChoice(own, labels, options.choice) };
}

/** Fields shared by frame and task runs. */
export const detectorBody = (model: LambdaFunction, labels: readonly Label[], options: DetectorOptions) => ({
  ...(options.threshold > 0 ? { threshold: options.threshold } : {}),
  mapping: mappingBody(withOwnLabels(model, options, labels).labels_v2, labels, options.choice),
  conv_mask_to_poly: options.masksToPolygons,
});

/** Reasons for dropped results, next to the annotations. */
const droppedSchema = z.object({ problems: z.array(z.string()).default([]) });

interface DetectionParts extends Pick<SessionParts, 'job' | 'store'> {
  /** The service reads the objects whose attributes are asked for. */
  readonly whenSaved: () => Promise<void>;
  readonly state: StoreApi<ModelState>;
  readonly suggestions: Suggestions;
}

export function createFrameDetection({ job, store, state, suggestions, whenSaved }: DetectionParts) {
  let running: AbortController | null = null;

  /** The next detection keeps them if the service cannot now. */
  const keepPhrases = (phrases: readonly string[]): void => {
    const prompts = [...phrases];
    if (JSON.stringify(prompts) === JSON.stringify(state.getState().keptPhrases)) return;
    call('updateTextPrompts', { params: { id: job.id }, body: { prompts } }).then(
      () => state.setState({ keptPhrases: prompts }),
      () => undefined,
    );
  };

  const detect = async (model: LambdaFunction, at: number, signal: AbortSignal): Promise<string> => {
    const { labels } = store.getState();
    const options = detectorOptions(state.getState(), model, labels);
    if (mappedCount(options.choice) === 0) throw new Error(text('assist.mapFirst'));
    const isOfObjects = fillsObjects(model, options, labels);
    if (isOfObjects) await whenSaved();
    const fill = isOfObjects ? { fill: 'objects' } : {};
    const body = { task: job.task_id, job: job.id, frame: at, ...detectorBody(model, labels, options), ...fill };
    const answer = await call('callLambdaFunction', { params: { id: model.id }, body, signal });
    const data = labeledDataSchema.parse(answer);
    const { problems } = droppedSchema.parse(answer);
    const found = suggestionsFrom(data, model.id, () => crypto.randomUUID(), isOfObjects ? 'attributes' : 'objects');
    const count = suggestions.offer(at, model.id, found);
    if (found.length > 0 && model.takes_phrases === true) keepPhrases(options.phrases);
    if (problems.length > 0) return text('assist.dropped', { reasons: problems.join(' ') });
    if (found.length === 0)
      return text(isOfObjects ? 'assist.nothingToFill' : 'assist.nothingFound', { name: model.name });
    if (count === 0) return text('assist.nothingNew', { count: found.length });
    return at === store.getState().frame ? '' : text('assist.waitElsewhere', { count, frame: at });
  };

  return {
    async run(model: LambdaFunction): Promise<void> {
      running?.abort();
      const mine = new AbortController();
      running = mine;
      const at = store.getState().frame;
      state.setState({ detecting: at, note: null });
      try {
        const words = await detect(model, at, mine.signal);
        if (running === mine) state.setState({ note: words === '' ? null : { kind: 'info', text: words } });
      } catch (error) {
        if (!wasCancelled(error) && running === mine) {
          const reason = text('assist.detectFailed', { name: model.name, message: reasonOf(error) });
          state.setState({ note: { kind: 'failure', text: reason } });
        }
      } finally {
        if (running === mine) {
          running = null;
          state.setState({ detecting: null });
        }
      }
    },
    cancel() {
      running?.abort();
      running = null;
      state.setState({ detecting: null });
    },
  };
}
