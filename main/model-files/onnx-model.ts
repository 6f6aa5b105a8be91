import type { ModelDescription } from '../../preload/contract/schema/model-files.ts';
import { inReadingOrder } from '../../preload/geometry/reading-order.ts';
import { decodeDetections } from './heads/decode.ts';
import { insidePicture, type DetectorItem } from './heads/found.ts';
import type { OnnxFacts } from './onnx/read-onnx.ts';
import { prepareImage, type PrepareImage } from './image/prepared-images.ts';
import { imageInput } from './recognise/evidence.ts';
import { RuntimeProblem, type ModelRuntime } from './runtime/runtime-process.ts';
import { cornerPlacing, decodeMask, decoderFeeds, type Features, type Prompts } from './sam-session.ts';
import type { PhraseInputs } from './prompts/phrase-inputs.ts';
import { readLines } from './text-lines.ts';
import { UnexpectedOutput, type Outputs, type Tensor } from './tensor.ts';

export const modelFile = 'model.onnx';
export const decoderFile = 'decoder.onnx';

export interface LoadedModel {
  readonly name: string;
  readonly facts: OnnxFacts;
  readonly description: Pick<ModelDescription, 'input'>;
  readonly runtime: Pick<ModelRuntime, 'run'>;
  /** Default: nothing is kept for further calls. */
  readonly prepare?: PrepareImage;
}

/** Runs the model on an image. The returned placement refers to the original image. */
export async function runOver(
  { facts, description, runtime, prepare = prepareImage }: LoadedModel,
  image: Uint8Array,
  signal?: AbortSignal,
  more: Readonly<Record<string, Tensor>> = {},
) {
  const { pixels, tensor, placing } = await prepare(image, description.input);
  const batch = imageInput(facts)?.batch ?? 1;
  const given = batch > 1 ? repeated(tensor, batch) : tensor;
  const all = await runtime.run(modelFile, { ...feedsOf(facts, given, pixels, more), ...more }, signal);
  const outputs = batch > 1 ? firstOf(all, batch) : all;
  // Very large images were scaled down when they were decoded.
  const shrunken = pixels.width / pixels.fullWidth;
  const full = { ...placing, scaleX: placing.scaleX * shrunken, scaleY: placing.scaleY * shrunken };
  return { outputs, placing: full, pixels, size: { width: pixels.fullWidth, height: pixels.fullHeight } };
}

/** Fills a fixed batch with copies of one image. */
function repeated({ type, dims, data }: Tensor, count: number): Tensor {
  const values = new (data.constructor as Float32ArrayConstructor)(data.length * count);
  for (let index = 0; index < count; index += 1) values.set(data as Float32Array, index * data.length);
  return { type, dims: [count, ...dims.slice(1)], data: values };
}

/** Results of the first image of a batch. Outputs of another size are shared by all images. */
function firstOf(outputs: Outputs, count: number): Outputs {
  return Object.fromEntries(
    Object.entries(outputs).map(([name, tensor]): [string, Tensor] => {
      const { type, dims, data } = tensor;
      if (dims[0] !== count) return [name, tensor];
      return [name, { type, dims: [1, ...dims.slice(1)], data: data.slice(0, data.length / count) }];
    }),
  );
}

/** @throws RuntimeProblem, also if the outputs do not match the description */
export async function detect(
  model: LoadedModel & { readonly description: ModelDescription; readonly decoder?: OnnxFacts | null },
  image: Uint8Array,
  threshold: number | null,
  signal?: AbortSignal,
  prompt?: PhraseInputs,
): Promise<DetectorItem[]> {
  const { name, description, runtime, decoder: facts = null } = model;
  const { recognition } = description;
  const ran = await runOver(model, image, signal, prompt?.feeds);
  if (prompt !== undefined) return detections(name, description, ran, threshold, prompt);
  if (recognition === null || facts === null) return detections(name, description, ran, threshold);
  const regions = inReadingOrder(detections(name, description, ran), ({ points }) => points as readonly number[]);
  const { pixels, size } = ran;
  const run = (feeds: Record<string, Tensor>) => runtime.run(decoderFile, feeds, signal);
  const reader = { run, facts, recognition };
  return named(name, () =>
    readLines(reader, pixels, pixels.width / size.width, regions, threshold ?? description.threshold),
  );
}

/** @throws RuntimeProblem if the outputs do not match the description */
export function detections(
  name: string,
  description: ModelDescription,
  { outputs, placing, size }: Awaited<ReturnType<typeof runOver>>,
  threshold: number | null = null,
  prompt?: PhraseInputs,
): DetectorItem[] {
  return namedNow(name, () =>
    decodeDetections({
      outputs,
      description,
      placing,
      ...size,
      threshold: threshold ?? description.threshold,
      ...(prompt === undefined ? {} : { prompt }),
    }),
  );
}

async function named<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw namedProblem(name, error);
  }
}

function namedNow<Result>(name: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw namedProblem(name, error);
  }
}

function namedProblem(name: string, error: unknown): unknown {
  if (!(error instanceof UnexpectedOutput)) return error;
  const message = `The output of "${name}" does not match its description: ${error.message}. Change its description.`;
  return new RuntimeProblem(message, 'invalid');
}

/** The image and the additional inputs of some models. */
function feedsOf(
  facts: OnnxFacts,
  picture: Tensor,
  { fullWidth, fullHeight }: { readonly fullWidth: number; readonly fullHeight: number },
  others: Readonly<Record<string, Tensor>>,
): Record<string, Tensor> {
  const own = imageInput(facts);
  return Object.fromEntries(
    facts.inputs
      .filter(({ name }) => others[name] === undefined)
      .map((input): [string, Tensor] => {
        if (input.name === own?.name) return [input.name, picture];
        const [height = 0, width = 0] = picture.dims.at(-1) === 3 ? picture.dims.slice(-3, -1) : picture.dims.slice(-2);
        const batch = picture.dims.length === 4 ? (picture.dims[0] ?? 1) : 1;
        const dims = input.name === 'pixel_mask' ? [batch, height, width] : [batch, 2];
        const values =
          input.name === 'pixel_mask'
            ? Array.from({ length: batch * height * width }, () => 1)
            : Array.from({ length: batch }, () => [fullWidth, fullHeight]).flat();
        const isWhole = input.type.startsWith('int');
        const data = isWhole ? BigInt64Array.from(values, BigInt) : Float32Array.from(values);
        if (input.type === 'int32') return [input.name, { type: 'int32', dims, data: Int32Array.from(values) }];
        return [input.name, { type: isWhole ? 'int64' : 'float32', dims, data }];
      }),
  );
}

export async function encode(model: LoadedModel, image: Uint8Array, signal?: AbortSignal): Promise<Features> {
  const { outputs: tensors, placing, size } = await runOver(model, image, signal);
  return { tensors, placing, size };
}

/** Decodes the features of CVAT's function: 32-bit floats in base64. */
export function featuresFromBlob(blob: string, size: Features['size']): Features {
  const bytes = Buffer.from(blob, 'base64');
  if (bytes.length !== 4 * 256 * 64 * 64) {
    throw new RuntimeProblem(
      `The function returned features of ${bytes.length} bytes; a decoder of Segment Anything needs 256 × 64 × 64 numbers.`,
    );
  }
  const data = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
  return {
    tensors: { image_embeddings: { type: 'float32', dims: [1, 256, 64, 64], data } },
    size,
    placing: cornerPlacing(size),
  };
}

export async function maskOf(
  name: string,
  runtime: Pick<ModelRuntime, 'run'>,
  decoder: OnnxFacts,
  features: Features,
  prompts: Prompts,
  signal?: AbortSignal,
): Promise<{ readonly shapes: readonly object[] }> {
  if (
    insidePicture({ left: 0, top: 0, right: features.size.width, bottom: features.size.height }, features.size) === null
  ) {
    throw new RuntimeProblem('The image is empty.');
  }
  let feeds: Record<string, Tensor>;
  try {
    feeds = decoderFeeds(decoder, features, prompts);
  } catch (error) {
    if (!(error instanceof UnexpectedOutput)) throw error;
    throw new RuntimeProblem(`The encoder and decoder of "${name}" do not match: ${error.message}.`, 'invalid');
  }
  const outputs: Outputs = await runtime.run(decoderFile, feeds, signal);
  return namedNow(name, () => decodeMask(outputs, features));
}
