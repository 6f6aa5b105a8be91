import type { ModelDescription, ModelReading } from '../../../preload/contract/schema/model-files.ts';
import type { SavedSettings } from '../configurations/saved-settings.ts';
import type { Recognised } from './recognise.ts';

const results = {
  rectangle: 'boxes',
  mask: 'masks',
  polygon: 'text-regions',
  skeleton: 'keypoints',
  tag: 'labels',
} as const satisfies Record<ModelDescription['output']['shape'], ModelReading['result']>;

/** Saved settings replace all readings, because the user has confirmed them. Those of another model are only named. */
export function withSavedSettings(found: Recognised, saved: SavedSettings | null): Recognised {
  if (saved === null) return found;
  const { fileName, description } = saved;
  if (description === null) {
    const words = `"${fileName}" does not belong to this file and is not used.`;
    return { ...found, readings: found.readings.map((one) => ({ ...one, against: [...one.against, words] })) };
  }
  const reasons = [`The settings come from "${fileName}".`];
  const isEncoder = description.kind === 'interactor';
  const needs = isEncoder ? 'decoder' : 'nothing';
  const reading: ModelReading = {
    id: 'saved',
    name: 'Saved settings',
    formula: '',
    result: isEncoder ? 'interactive-encoder' : results[description.output.shape],
    input: description.input,
    description,
    missing: null,
    reasons,
    against: [],
    questions: [],
    needs,
  };
  return { description, problem: null, reasons, questions: [], needs, readings: [reading] };
}
