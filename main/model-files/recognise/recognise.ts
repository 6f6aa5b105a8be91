import type { ModelFileInspection, ModelReading } from '../../../preload/contract/schema/model-files.ts';
import type { OnnxFacts } from '../onnx/read-onnx.ts';
import type { ReadConfigurations } from '../configurations/configuration.ts';
import { contradicted, withConfigurations } from './beside.ts';
import { evidenceOf, type Evidence } from './evidence.ts';
import type { TrialRun } from './observed.ts';
import { seenText, type Candidate, type Reading } from './reading.ts';
import { centerFace, detr, instances, scoredBoxes, sizedBoxes, tensorFlow } from './readings/detectors.ts';
import { labelMap, semantic, singleMap } from './readings/maps.ts';
import { heatmaps, simcc, singlePose } from './readings/points.ts';
import { modelParts, samDecoder, samEncoder } from './readings/segment-anything.ts';
import { textEncoder, textLine, textPrompt } from './readings/text.ts';
import { isOfUltralytics, ultralytics } from './readings/ultralytics.ts';
import { classes, embeddings } from './readings/vectors.ts';
import { countedBoxes, finalRows, yoloGrid, yoloWorld } from './readings/yolo.ts';

export type Recognised = Pick<
  ModelFileInspection,
  'description' | 'problem' | 'reasons' | 'questions' | 'needs' | 'readings'
>;

/** All readings. Their order does not matter, because every one is tried. */
export const allReadings: readonly Reading[] = [
  ultralytics,
  yoloGrid,
  finalRows,
  countedBoxes,
  yoloWorld,
  sizedBoxes,
  detr,
  tensorFlow,
  scoredBoxes,
  instances,
  centerFace,
  labelMap,
  semantic,
  singleMap,
  simcc,
  heatmaps,
  singlePose,
  classes,
  embeddings,
  samEncoder,
  samDecoder,
  modelParts,
  textPrompt,
  textEncoder,
  textLine,
];

/**
 * Collects every reading that fits the metadata, names, shapes, operators and the values of a trial run. Readings with
 * weaker evidence are dropped. One reading is the result; several are a question for the user; none is refused with all
 * observed facts.
 */
export function recognise(
  facts: OnnxFacts,
  run: TrialRun | null = null,
  readings: readonly Reading[] = allReadings,
  beside: ReadConfigurations = noConfigurations,
): Recognised {
  const metadata = beside.configurations.find((one) => one.metadata !== null);
  // The metadata of the file itself is never replaced.
  if (metadata === undefined || facts.metadata['names'] !== undefined) return recognised(facts, run, readings, beside);
  const { fileName } = metadata;
  const merged = { ...facts, metadata: { ...metadata.metadata, ...facts.metadata } };
  const found = recognised(merged, run, readings, beside, [`The metadata comes from "${fileName}".`]);
  if (found.readings.length > 0) return found;
  const words = `"${fileName}" does not fit the outputs of the model and is not used.`;
  return recognised(facts, run, readings, beside, [], words);
}

const noConfigurations: ReadConfigurations = { configurations: [], unread: [] };

/** @param contradiction of a configuration that was not used */
function recognised(
  facts: OnnxFacts,
  run: TrialRun | null,
  readings: readonly Reading[],
  beside: ReadConfigurations,
  more: readonly string[] = [],
  contradiction: string | null = null,
): Recognised {
  const labels = beside.configurations.find((one) => one.labels !== null && one.otherFile === null);
  const evidence = { ...evidenceOf(facts, run), labelsBeside: labels ?? null };
  const fitting = readings.flatMap((one) => one(evidence));
  // Metadata that contradicts the outputs outweighs everything that the outputs could mean otherwise.
  const level = isOfUltralytics(evidence) ? 3 : Math.max(...fitting.map((one) => one.level));
  const strongest = fitting.filter((one) => one.level === level);
  const plain = strongest.map((one) => complete(evidence, one));
  const found = withConfigurations(plain, beside)
    .map((one) => ({ ...one, reasons: [...more, ...one.reasons] }))
    .map((one) => (contradiction === null ? one : contradicted(one, 'kind', contradiction)))
    .toSorted(byEvidence);
  const [only, ...others] = found;
  if (only === undefined) return { ...none(refusal(evidence)), readings: [] };
  if (others.length > 0) {
    const usable = found.some(({ description }) => description !== null);
    return { ...none(usable ? null : unusable(evidence, found)), readings: found };
  }
  const { description, reasons, questions, needs, missing } = only;
  const problem = missing === null ? null : unusable(evidence, found);
  return {
    description,
    problem,
    reasons: [...reasons, ...only.against],
    questions: questions.map(({ text }) => text),
    needs,
    readings: found,
  };
}

/** More evidence first. */
const byEvidence = (a: ModelReading, b: ModelReading): number =>
  a.against.length - b.against.length || b.reasons.length - a.reasons.length || (a.id < b.id ? -1 : 1);

const none = (problem: string | null) =>
  ({ description: null, problem, reasons: [], questions: [], needs: 'nothing' }) satisfies Partial<Recognised>;

/** Adds what holds for all readings: batches, and outputs that are not read. */
function complete({ image, outputs }: Evidence, candidate: Candidate): ModelReading {
  const { level: _, uses, ...reading } = candidate;
  const unused =
    uses === 'all' ? [] : outputs.filter(({ name }) => !uses.includes(name)).map(({ name }) => `"${name}"`);
  const isBatch = image !== null && image.batch > 1 && reading.description !== null;
  return {
    ...reading,
    reasons: isBatch
      ? [
          ...reading.reasons,
          `The file has a fixed batch of ${image.batch}; the image is repeated and the first result is used.`,
        ]
      : reading.reasons,
    against: unused.length === 0 ? reading.against : [...reading.against, `Does not use ${unused.join(', ')}.`],
  };
}

function refusal(evidence: Evidence): string {
  const { facts, image, others } = evidence;
  const reason =
    image === null
      ? 'None of its inputs is an image with three channels.'
      : others.length > 0
        ? `Its input "${others[0]?.name}" is unknown.`
        : isOfUltralytics(evidence)
          ? `Its outputs do not fit its metadata: the task "${facts.metadata['task']}" of Ultralytics. Export it again.`
          : 'Its outputs match no supported kind of model.';
  return `${reason} It has ${seenText(facts)}.`;
}

function unusable({ facts }: Evidence, found: readonly ModelReading[]): string {
  const names = found.map(({ name, missing }) => `${name}: ${missing}`).join('. Or ');
  return `${names}. It has ${seenText(facts)}.`;
}
