import { textAttribute, type ModelRecognition } from '../../preload/contract/schema/model-files.ts';
import { scoreText, type DetectorItem } from './heads/found.ts';
import { decodeCtc, type Line } from './heads/ctc.ts';
import { pictureTensor } from './image/image-tensor.ts';
import type { Pixels } from './image/pixels.ts';
import { turnedAround, uprightCrop, type Quadrangle } from './image/perspective.ts';
import { imageInput } from './recognise/evidence.ts';
import type { OnnxFacts } from './onnx/read-onnx.ts';
import type { ModelRuntime } from './runtime/runtime-process.ts';
import type { Outputs, Tensor } from './tensor.ts';

/** Below this score a line is read again upside down. */
const surelyRead = 0.5;
/** Longest line in pixels of the model input. */
const widestLine = 8192;

export interface LineReader {
  /** Runs the file of the recognition. */
  readonly run: (feeds: Parameters<ModelRuntime['run']>[1]) => Promise<Outputs>;
  readonly facts: OnnxFacts;
  readonly recognition: ModelRecognition;
}

/**
 * Adds the text of each region, in reading order. The score of a region becomes that of its text; regions below the
 * threshold are left out.
 * @param scale size of these pixels divided by the size of the image
 * @throws UnexpectedOutput if the model does not return the characters of its dictionary
 */
export async function readLines(
  reader: LineReader,
  pixels: Pixels,
  scale: number,
  items: readonly DetectorItem[],
  threshold: number,
): Promise<DetectorItem[]> {
  const crops = items.map((item) => {
    const corners = (item['points'] as readonly number[]).map((value) => Math.round(value * scale));
    return uprightCrop(pixels, corners as unknown as Quadrangle);
  });
  const upright = await readCrops(reader, crops);
  const unsure = [...crops.keys()].filter((index) => (upright[index]?.score ?? 0) < surelyRead);
  const turned = await readCrops(
    reader,
    unsure.map((index) => turnedAround(crops[index]!)),
  );
  const lines = [...upright];
  for (const [place, index] of unsure.entries()) {
    const [one, other] = [upright[index]!, turned[place]!];
    if (other.score > one.score) lines[index] = other;
  }
  return items.flatMap((item, index) => {
    const { text, score } = lines[index]!;
    if (text === '' || score < threshold) return [];
    return [{ ...item, confidence: scoreText(score), attributes: [{ name: textAttribute, value: text }] }];
  });
}

/** Lines that go in together. PaddleOCR's number, because the padding to the longest one changes weak characters. */
const linesAtOnce = 6;

/** Reads lines of similar length together if the model takes several. */
async function readCrops(reader: LineReader, crops: readonly Pixels[]): Promise<Line[]> {
  const ratioOf = (index: number) => crops[index]!.width / crops[index]!.height;
  const order = [...crops.keys()].toSorted((a, b) => ratioOf(a) - ratioOf(b));
  const image = imageInput(reader.facts);
  const declared = reader.facts.inputs.find(({ name }) => name === image?.name)?.dimensions?.[0];
  const most = typeof declared === 'number' ? 1 : linesAtOnce;
  const lines: Line[] = [];
  for (let start = 0; start < order.length; start += most) {
    const group = order.slice(start, start + most);
    // oxlint-disable-next-line no-await-in-loop -- one process runs one group at a time
    const found = await readGroup(
      reader,
      image?.name ?? 'x',
      group.map((index) => crops[index]!),
    );
    for (const [place, index] of group.entries()) lines[index] = found[place]!;
  }
  return lines;
}

async function readGroup({ run, recognition }: LineReader, name: string, crops: readonly Pixels[]): Promise<Line[]> {
  const { input, letters } = recognition;
  const widths = crops.map((crop) => Math.ceil((input.height * crop.width) / crop.height));
  // PaddleOCR cuts the fraction of the padded width.
  const longest = Math.max(...crops.map((crop) => Math.floor((input.height * crop.width) / crop.height)));
  const width = input.is_size_free ? Math.min(widestLine, Math.max(input.width, longest)) : input.width;
  const tensors = crops.map((crop, index) => {
    // A longer line than the input is squeezed, a shorter one is padded on the right.
    const fit = (widths[index] ?? 0) > width ? 'stretch' : 'corner';
    return pictureTensor(crop, { ...input, width, fit, fill: 0 }).tensor;
  });
  return decodeCtc(await run({ [name]: stacked(tensors) }), letters);
}

/** Joins tensors along their first axis. */
function stacked(tensors: readonly Tensor[]): Tensor {
  const [first] = tensors as [Tensor];
  const size = first.data.length;
  const data = new (first.data.constructor as Float32ArrayConstructor)(size * tensors.length);
  for (const [index, one] of tensors.entries()) data.set(one.data as Float32Array, index * size);
  return { ...first, dims: [tensors.length, ...first.dims.slice(1)], data };
}
