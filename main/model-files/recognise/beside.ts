import type { ModelDescription, ModelInput, ModelReading } from '../../../preload/contract/schema/model-files.ts';
import type { Configuration, ReadConfigurations } from '../configurations/configuration.ts';
import { ask, type Unknown } from './reading.ts';

/**
 * Applies the configurations beside a model: they answer questions of the readings. Where they contradict the file,
 * both are kept and the user is asked.
 */
export function withConfigurations(
  readings: readonly ModelReading[],
  { configurations, unread }: ReadConfigurations,
): ModelReading[] {
  const used = configurations.filter(({ otherFile }) => otherFile === null);
  const notes = [
    ...configurations.flatMap(({ fileName, otherFile }) =>
      otherFile === null ? [] : [`"${fileName}" describes the file "${otherFile}" and is not used.`],
    ),
    ...unread.map((fileName) => `"${fileName}" cannot be read and is not used.`),
  ];
  const found = used.reduce<readonly ModelReading[]>(
    (before, one) => ofResult(before, one).map((reading) => applied(reading, one)),
    readings,
  );
  return found.map((one) => ({ ...one, against: [...one.against, ...notes] }));
}

/** Keeps the readings with the result that the configuration names. */
function ofResult(readings: readonly ModelReading[], { fileName, result }: Configuration): readonly ModelReading[] {
  if (result === null) return readings;
  const fitting = readings.filter((one) => one.result === result);
  if (fitting.length === 0) {
    return readings.map((one) => contradicted(one, 'kind', `"${fileName}" describes another kind of model.`));
  }
  return fitting.map((one) => ({
    ...without(one, new Set(['kind'])),
    reasons: [...one.reasons, `"${fileName}" describes this kind of model.`],
  }));
}

const without = (reading: ModelReading, known: ReadonlySet<Unknown>): ModelReading => ({
  ...reading,
  questions: reading.questions.filter(({ about }) => !about.every((one) => known.has(one))),
});

export const contradicted = (reading: ModelReading, about: Unknown, words: string): ModelReading => ({
  ...reading,
  against: [...reading.against, words],
  questions: [...reading.questions, ask(about, `${words} Choose which is right.`)],
});

const asks = ({ questions }: ModelReading, about: Unknown): boolean =>
  questions.some((question) => question.about.includes(about));

interface Answer {
  readonly about: Unknown;
  /** Part of the input that the configuration tells. */
  readonly part: Partial<ModelInput>;
  readonly reason: string;
  readonly contradiction: string;
}

function applied(given: ModelReading, configuration: Configuration): ModelReading {
  let reading = withScores(given, configuration);
  const known = new Set<Unknown>();
  for (const { about, part, reason, contradiction } of answersOf(configuration)) {
    const { input } = reading;
    if (input === null) break;
    const isSame = Object.entries(part).every(([key, value]) => isEqual(input[key as keyof ModelInput], value));
    const isOpen =
      about === 'normalization' && input.type !== 'float32' && input.type !== 'float16' ? false : asks(given, about);
    if (!isSame && !isOpen) reading = contradicted(reading, about, contradiction);
    else {
      known.add(about);
      reading = { ...withInput(reading, { ...input, ...part }), reasons: [...reading.reasons, reason] };
    }
  }
  return withLabels(withSize(without(reading, known), configuration), configuration);
}

function answersOf({ fileName, normalization, colour, fit, smooth }: Configuration): Answer[] {
  const answers: Answer[] = [];
  if (normalization !== null) {
    const [reason, contradiction] = [
      `Mean and deviation come from "${fileName}".`,
      `"${fileName}" has another mean and deviation.`,
    ];
    answers.push({ about: 'normalization', part: normalization, reason, contradiction });
  }
  if (colour !== null) {
    const words = `"${fileName}" has the channel order ${colour}.`;
    answers.push({ about: 'colour', part: { colour }, reason: words, contradiction: words });
  }
  if (fit !== null) {
    const part = smooth === null ? { fit } : { fit, smooth };
    const [reason, contradiction] = [
      `"${fileName}" tells how images are resized.`,
      `"${fileName}" resizes images in another way.`,
    ];
    answers.push({ about: 'fit', part, reason, contradiction });
  }
  return answers;
}

const isEqual = (one: unknown, other: unknown): boolean =>
  Array.isArray(one) && Array.isArray(other)
    ? one.length === other.length && one.every((value, index) => isEqual(value, other[index]))
    : typeof one === 'number' && typeof other === 'number'
      ? Math.abs(one - other) < 0.001
      : one === other;

const withInput = (reading: ModelReading, input: ModelInput): ModelReading => ({
  ...reading,
  input,
  description: reading.description && { ...reading.description, input },
});

const sizeText = ({ width, height }: { readonly width: number; readonly height: number }) => `${width} × ${height}`;

function withSize(reading: ModelReading, { fileName, size }: Configuration): ModelReading {
  const { input } = reading;
  if (size === null || input === null || input.fit === 'multiple') return reading;
  if (input.width === size.width && input.height === size.height) return reading;
  if (!input.is_size_free) {
    const words = `"${fileName}" has the size ${sizeText(size)}, the model has ${sizeText(input)}.`;
    return contradicted(reading, 'fit', words);
  }
  const reason = `The size ${sizeText(size)} comes from "${fileName}".`;
  return { ...withInput(reading, { ...input, ...size }), reasons: [...reading.reasons, reason] };
}

function withLabels(reading: ModelReading, { fileName, labels }: Configuration): ModelReading {
  const { description } = reading;
  if (labels === null || description === null || description.kind !== 'detector') return reading;
  if (isEqual(labels, description.labels)) return reading;
  const words = `"${fileName}" has ${labels.length} labels that do not match the model.`;
  return contradicted(reading, 'labels', words);
}

function withScores(reading: ModelReading, { fileName, threshold, overlap }: Configuration): ModelReading {
  const { description } = reading;
  if (description === null || (threshold === null && overlap === null)) return reading;
  const changed: ModelDescription = {
    ...description,
    threshold: threshold ?? description.threshold,
    overlap: description.overlap === null ? null : (overlap ?? description.overlap),
  };
  return { ...reading, description: changed, reasons: [...reading.reasons, `The thresholds come from "${fileName}".`] };
}
