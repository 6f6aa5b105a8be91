import type { ModelRecognition } from '../../preload/contract/schema/model-files.ts';
import { scoreText, type DetectorItem } from './heads/found.ts';
import { decodeCtc } from './heads/ctc.ts';
import { pictureTensor } from './image/image-tensor.ts';
import type { Pixels } from './image/pixels.ts';
import { turnedAround, uprightCrop, type Quadrangle } from './image/perspective.ts';
import { imageInput } from './recognise/evidence.ts';
import type { OnnxFacts } from './onnx/read-onnx.ts';
import type { ModelRuntime } from './runtime/runtime-process.ts';
import type { Outputs } from './tensor.ts';

/** Attribute with the text of a region, named as in PaddleOCR's label files. */
export const textAttribute = 'transcription';

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

interface Line {
  readonly text: string;
  readonly score: number;
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
  const found: DetectorItem[] = [];
  for (const item of items) {
    const corners = (item['points'] as readonly number[]).map((value) => value * scale);
    // oxlint-disable-next-line no-await-in-loop -- one process runs one line at a time
    const line = await readRegion(reader, uprightCrop(pixels, corners as unknown as Quadrangle));
    if (line.text === '' || line.score < threshold) continue;
    const attributes = [{ name: textAttribute, value: line.text }];
    found.push({ ...item, confidence: scoreText(line.score), attributes });
  }
  return found;
}

async function readRegion(reader: LineReader, crop: Pixels): Promise<Line> {
  const line = await readLine(reader, crop);
  if (line.score >= surelyRead) return line;
  const turned = await readLine(reader, turnedAround(crop));
  return turned.score > line.score ? turned : line;
}

async function readLine({ run, facts, recognition }: LineReader, crop: Pixels): Promise<Line> {
  const { input, letters } = recognition;
  const natural = Math.ceil((input.height * crop.width) / crop.height);
  const width = input.is_size_free ? Math.min(widestLine, Math.max(input.width, natural)) : input.width;
  // A longer line than the input is squeezed, a shorter one is padded on the right.
  const fit = natural > width ? 'stretch' : 'corner';
  const { tensor } = pictureTensor(crop, { ...input, width, fit, fill: 0 });
  const outputs = await run({ [imageInput(facts)?.name ?? 'x']: tensor });
  return decodeCtc(outputs, letters);
}
