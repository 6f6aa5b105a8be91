import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ModelFunction } from '../../../../preload/contract/schema/functions.ts';
import { messageOf } from '../../../api/api-error.ts';
import { tryModel } from '../../../api/model-calls.ts';
import { useText } from '../../../i18n/index.ts';
import { formatFixed } from '../../../i18n/language.ts';
import { sampleFile } from '../model-files/use-sample.ts';
import { readAnswer } from '../trial/detections.ts';
import { noPrompts, trialFields, type Prompts } from '../trial/trial-fields.ts';

/** The middle of the sample, for models that outline or follow one object. */
const samplePrompts: Prompts = {
  ...noPrompts,
  positive: [[320, 200]],
  box: [
    [220, 120],
    [420, 280],
  ],
};

const canTest = ({ kind, takes_phrases: takesPhrases }: ModelFunction): boolean =>
  kind !== null && kind !== 'reid' && takesPhrases !== true;

/**
 * Runs a model on the sample image when the user asks for it. Models that compare frames or take phrases are tried on
 * their page.
 */
export function useModelTest(model: ModelFunction) {
  const t = useText();
  const client = useQueryClient();
  const queryKey = ['models', 'sample-test', model.name];
  const { data, error, isFetching, refetch } = useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const { kind, name } = model;
      const prompts = kind === 'interactor' ? { ...samplePrompts, box: noPrompts.box } : samplePrompts;
      const { text, durationMs } = await tryModel(name, await sampleFile(), trialFields(kind, prompts, ''), signal);
      const { detections } = readAnswer(text);
      const scored = detections.toSorted((a, b) => (b.score ?? 0) - (a.score ?? 0));
      return { count: detections.length, best: scored[0] ?? null, durationMs };
    },
    enabled: false,
    retry: false,
    staleTime: Infinity,
    gcTime: Infinity,
  });
  const best = data?.best ?? null;
  const score = best?.score == null ? '' : formatFixed(best.score, 2);
  const found = data === undefined ? '' : t('modelTry.count', { count: data.count });
  return {
    canTest: canTest(model),
    isRunning: isFetching,
    durationMs: data?.durationMs ?? null,
    failure: error === null || isFetching ? null : messageOf(error),
    /** For example "3 results, best 0.91 dog". */
    result: best === null || score === '' ? found : t('models.testFound', { found, score, label: best.label }),
    run: () => void refetch(),
    cancel: () => void client.cancelQueries({ queryKey }),
  };
}
