import type { ModelDescription } from '../../preload/contract/schema/model-files.ts';
import { invalidField } from '../platform/errors.ts';
import { readConfigurations } from './configurations/read-configuration.ts';
import type { StagedFile } from './model-file-parts.ts';
import { allReadings, recognise } from './recognise/recognise.ts';
import { fitsDictionary } from './heads/ctc.ts';
import { dictionaryOf } from './recognise/labels.ts';

/**
 * Completes the description of a text detector by the recognition model that belongs to it.
 * @throws AppError 400 if the file does not read lines, or if its characters are unknown
 */
export function withLineReader(description: ModelDescription, file: StagedFile | null): ModelDescription {
  if (description.head !== 'text') return description;
  if (file === null) return { ...description, recognition: null };
  const beside = readConfigurations(file.configurations, file.fileName);
  const { readings } = recognise(file.file.facts, null, allReadings, beside);
  const line = readings.find(({ needs, input }) => needs === 'detector' && input !== null);
  if (!line?.input) {
    throw invalidField(
      'decoder',
      `${file.fileName} does not read lines of text. Choose the recognition model of the text detector.`,
    );
  }
  if (description.recognition !== null) return description;
  const letters = dictionaryOf(file.file.facts, beside);
  const count = file.file.facts.outputs[0]?.dimensions?.at(-1);
  if (letters !== null && (typeof count !== 'number' || fitsDictionary(count, letters))) {
    return { ...description, recognition: { input: line.input, letters } };
  }
  if (letters !== null) {
    throw invalidField(
      'decoder',
      `${file.fileName} returns ${count} characters, but its dictionary has ${letters.length}, without a blank and a space. Add the dictionary of this model.`,
    );
  }
  throw invalidField(
    'decoder',
    `${file.fileName} does not contain its characters. Add its dictionary: a .txt file with one per line, or inference.yml.`,
  );
}
