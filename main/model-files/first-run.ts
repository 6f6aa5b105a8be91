import type {
  ModelDescription,
  ModelInput,
  ModelReading,
  ModelTrial,
} from '../../preload/contract/schema/model-files.ts';
import type { ReadConfigurations } from './configurations/configuration.ts';
import type { SavedSettings } from './configurations/saved-settings.ts';
import type { DetectorItem } from './heads/found.ts';
import { detections, runOver } from './onnx-model.ts';
import type { OnnxFacts } from './onnx/read-onnx.ts';
import { imageInput } from './recognise/evidence.ts';
import { observe, type Observed, type TrialRun } from './recognise/observed.ts';
import { inputOf } from './recognise/reading.ts';
import { allReadings, recognise, type Recognised } from './recognise/recognise.ts';
import { withSavedSettings } from './recognise/saved.ts';
import { RuntimeProblem, type ModelRuntime } from './runtime/runtime-process.ts';
import { sampleImage } from './sample-image.ts';

interface FirstRun {
  readonly name: string;
  readonly facts: OnnxFacts;
  readonly runtime: Pick<ModelRuntime, 'run'>;
  readonly signal?: AbortSignal | undefined;
  /** Configurations of other programs beside the file. */
  readonly beside?: ReadConfigurations;
  readonly saved?: SavedSettings | null;
}

export type Inspected = Recognised & { readonly trial: ModelTrial | null };

type Ran = Awaited<ReturnType<typeof runOver>>;

/** Sides that models without a fixed size accept: multiples of 32, of 14 and of 16. */
const freeSides = [518, 224, 320] as const;

/**
 * Recognizes a model, runs it once on a sample image, and recognizes it again by its values. A model that cannot run is
 * refused with the runtime's reason. Parts that take no image are not run.
 */
export async function inspectModel(model: FirstRun): Promise<Inspected> {
  const read = (run: TrialRun | null) =>
    withSavedSettings(recognise(model.facts, run, allReadings, model.beside), model.saved ?? null);
  const first = read(null);
  const image = imageInput(model.facts);
  const isKnown = first.readings.length > 0;
  const input =
    first.readings.find((one) => one.input !== null)?.input ?? (image === null ? null : inputOf(image, 640));
  const isRunnable = input !== null && model.facts.inputs.length <= 2 && !first.readings.some(needsOthers);
  if (!isRunnable || (!isKnown && model.facts.inputs.length > 1)) return { ...first, trial: null };
  const begun = performance.now();
  const ran = await firstThatRuns(model, input);
  if (ran instanceof RuntimeProblem) return failed(first, ran);
  const run = runOf(ran);
  const found = read(run);
  const fitted = withSide(found, ran.input);
  return { ...fitted, trial: trialOf(model.name, fitted, ran, performance.now() - begun) };
}

/** Text encoders and memories go in beside the image. */
const needsOthers = ({ result }: ModelReading): boolean =>
  ['text-prompt', 'image-text-embedding', 'text-prompt-part', 'interactive-decoder'].includes(result);

async function firstThatRuns(
  model: FirstRun,
  input: ModelInput,
): Promise<(Ran & { input: ModelInput }) | RuntimeProblem> {
  const sides = input.is_size_free && input.fit !== 'multiple' ? freeSides : [];
  const inputs = [input, ...sides.map((side) => ({ ...input, width: side, height: side }))];
  let failure: RuntimeProblem | null = null;
  for (const one of inputs) {
    try {
      const ran = await runOver({ ...model, description: { input: one } }, await sampleImage(), model.signal);
      return { ...ran, input: one };
    } catch (error) {
      if (!(error instanceof RuntimeProblem)) throw error;
      failure ??= error;
      // Another size cannot help if there is no runtime, or if the model takes too much memory or time.
      if (error.code !== 'invalid') break;
    }
  }
  return failure ?? new RuntimeProblem(`Cannot run "${model.name}".`);
}

/** Only a failure of the model itself refuses it; it may still run in a container. */
function failed(first: Recognised, problem: RuntimeProblem): Inspected {
  if (problem.code === 'cancelled') throw problem;
  const doubts = [`The model was not tried: ${problem.message}`];
  if (problem.code !== 'invalid') return { ...first, trial: { text: '', doubts, duration_ms: 0 } };
  return {
    description: null,
    problem: problem.message,
    reasons: [],
    questions: [],
    needs: 'nothing',
    readings: [],
    trial: null,
  };
}

function runOf({ outputs, placing }: Ran): TrialRun {
  return { width: placing.width, height: placing.height, outputs: observe(outputs) };
}

/** Keeps the side that the model accepted, if the file does not fix it. */
function withSide(found: Recognised, { width, height }: ModelInput): Recognised {
  const sized = (input: ModelInput): ModelInput =>
    input.is_size_free && input.fit !== 'multiple' ? { ...input, width, height } : input;
  const readings = found.readings.map((one) => ({
    ...one,
    input: one.input && sized(one.input),
    description: one.description && { ...one.description, input: sized(one.description.input) },
  }));
  return { ...found, readings, description: readings.length === 1 ? (readings[0]?.description ?? null) : null };
}

/** Describes the result of the only reading; several readings are tried one by one by the user. */
function trialOf(name: string, found: Recognised, ran: Ran, durationMs: number): ModelTrial {
  const doubts = outputDoubts(observe(ran.outputs));
  const { description } = found;
  if (description === null || description.kind !== 'detector') return { text: '', doubts, duration_ms: durationMs };
  const items = itemsOf(name, description, ran);
  if (typeof items === 'string') return { text: '', doubts: [...doubts, items], duration_ms: durationMs };
  return { text: resultText(items), doubts: [...doubts, ...itemDoubts(items, ran.size)], duration_ms: durationMs };
}

function itemsOf(name: string, description: ModelDescription, ran: Ran): DetectorItem[] | string {
  try {
    return detections(name, description, ran);
  } catch (error) {
    if (error instanceof RuntimeProblem) return error.message;
    throw error;
  }
}

const words: Readonly<Record<string, readonly [string, string]>> = {
  rectangle: ['box', 'boxes'],
  mask: ['mask', 'masks'],
  polygon: ['polygon', 'polygons'],
  skeleton: ['skeleton', 'skeletons'],
  tag: ['label', 'labels'],
};

/** For example "3 boxes, best 0.91 dog". */
export function resultText(items: readonly DetectorItem[]): string {
  const [best] = items.toSorted((a, b) => Number(b['confidence']) - Number(a['confidence']));
  if (best === undefined) return 'nothing found';
  const [one, many] = words[String(best['type'])] ?? ['result', 'results'];
  const score = Math.round(Number(best['confidence']) * 100) / 100;
  return `${items.length} ${items.length === 1 ? one : many}, best ${score.toFixed(2)} ${String(best['label'])}`;
}

const fewest = 5;
const coveredShare = 0.99;

/** Results that no working model gives. */
export function itemDoubts(
  items: readonly DetectorItem[],
  { width, height }: { readonly width: number; readonly height: number },
): string[] {
  // Masks of complete images have no score.
  const scored = items.filter((one) => one['type'] !== 'mask');
  const scores = new Set(scored.map((one) => one['confidence']));
  const boxes = items.flatMap((one) => (one['type'] === 'rectangle' ? [one['points'] as readonly number[]] : []));
  const isTiny = ([left = 0, top = 0, right = 0, bottom = 0]: readonly number[]) =>
    right - left <= 2 && bottom - top <= 2;
  const isFull = (mask: readonly number[]) =>
    mask.slice(0, -4).filter((bit) => bit === 1).length >= coveredShare * width * height;
  const masks = items.flatMap((one) => (one['type'] === 'mask' ? [one['mask'] as readonly number[]] : []));
  return [
    ...(scored.length >= fewest && scores.size === 1
      ? [`All ${scored.length} scores are ${[...scores].join('')}.`]
      : []),
    ...(boxes.length > 0 && boxes.every(isTiny) ? ['All boxes are at most 2 pixels wide and high.'] : []),
    ...(masks.some(isFull) ? ['A mask covers the complete image.'] : []),
    ...(items.length >= 300 ? [`${items.length} results on one image.`] : []),
  ];
}

const outputDoubts = (outputs: Readonly<Record<string, Observed>>): string[] =>
  Object.entries(outputs).flatMap(([name, { min, max }]) =>
    Number.isNaN(min) || Number.isNaN(max) || min === Number.NEGATIVE_INFINITY || max === Number.POSITIVE_INFINITY
      ? [`The output "${name}" contains values that are not numbers.`]
      : [],
  );
