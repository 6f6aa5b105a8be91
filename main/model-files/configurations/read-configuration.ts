import { basename } from 'node:path/posix';
import { parse } from 'yaml';
import { isSettingsFile } from '../../../preload/contract/model-configurations.ts';
import {
  asNumber,
  asRecord,
  emptyConfiguration,
  labelsOf,
  sizeOf,
  type Configuration,
  type Parsed,
  type ReadConfigurations,
} from './configuration.ts';
import { readConfig, readPreprocessor } from './hugging-face.ts';
import { isTokenizerFile } from '../prompts/tokenizer-files.ts';
import { readInference } from './paddle.ts';

type Reader = (file: Parsed, modelName: string) => Partial<Configuration> | null;

/** `metadata.yaml` of Ultralytics: the same entries as in the metadata of its ONNX files. */
function readMetadata(file: Parsed): Partial<Configuration> | null {
  if (labelsOf(file['names']) === null || typeof file['task'] !== 'string' || !('stride' in file)) return null;
  const textOf = (value: unknown): string =>
    typeof value === 'boolean' ? (value ? 'True' : 'False') : typeof value === 'string' ? value : JSON.stringify(value);
  const entries = Object.entries(file).map(([key, value]) => [key, textOf(value)] as const);
  return { metadata: Object.fromEntries(entries) };
}

/** `data.yaml` of Ultralytics: the labels of the training data. */
function readData(file: Parsed): Partial<Configuration> | null {
  const labels = labelsOf(file['names']);
  return labels === null ? null : { labels };
}

/** Configuration of X-AnyLabeling. */
function readAnyLabeling(file: Parsed, modelName: string): Partial<Configuration> | null {
  const { type, model_path: path } = file;
  if (typeof type !== 'string' || typeof path !== 'string') return null;
  const other = basename(path.replaceAll('\\', '/'));
  const share = (value: unknown) => {
    const number = asNumber(value);
    return number !== null && number >= 0 && number <= 1 ? number : null;
  };
  return {
    labels: labelsOf(file['classes']),
    size: sizeOf(file['input_width'], file['input_height']),
    result: resultOf(type),
    threshold: share(file['conf_threshold'] ?? file['score_threshold'] ?? file['confidence_threshold']),
    overlap: share(file['iou_threshold'] ?? file['nms_threshold']),
    otherFile: other.toLowerCase() === modelName.toLowerCase() ? null : other,
  };
}

function resultOf(type: string): Configuration['result'] {
  if (!/^(yolo|rtdetr|rt_detr|damo_yolo|gold_yolo|d_fine|rfdetr|deim)/.test(type)) return null;
  const endings = { seg: 'masks', pose: 'keypoints', obb: 'oriented-boxes', cls: 'labels' } as const;
  const ending = /_(seg|pose|obb|cls)(_|$)/.exec(type)?.[1] as keyof typeof endings | undefined;
  if (ending !== undefined) return endings[ending];
  return /^\w+?_(track|sam|det_)/.test(type) ? null : 'boxes';
}

const readers: readonly Reader[] = [
  readMetadata,
  readAnyLabeling,
  readInference,
  readConfig,
  readPreprocessor,
  readData,
];

/** Reads the configurations beside a model by their contents. */
export function readConfigurations(texts: ReadonlyMap<string, string>, modelName: string): ReadConfigurations {
  const configurations: Configuration[] = [];
  const unread: string[] = [];
  for (const [fileName, text] of texts) {
    if (isSettingsFile(fileName) || isTokenizerFile(fileName)) continue;
    const file = parsed(fileName, text);
    const lines = /\.txt$/i.test(fileName)
      ? labelsOf(
          text
            .replace(/^\uFEFF/, '')
            .split(/\r?\n/)
            .filter(Boolean),
        )
      : null;
    if (lines !== null) {
      configurations.push({ ...emptyConfiguration, labels: lines, fileName });
      continue;
    }
    const found = readers.map((read) => read(file, modelName)).find((one) => one !== null);
    if (found === undefined) unread.push(fileName);
    else configurations.push({ ...emptyConfiguration, ...found, fileName });
  }
  return { configurations, unread };
}

function parsed(fileName: string, text: string): Parsed {
  try {
    return asRecord(fileName.toLowerCase().endsWith('.json') ? JSON.parse(text) : parse(text, { logLevel: 'error' }));
  } catch {
    return {};
  }
}
