import type { ModelReading } from '../../../preload/contract/schema/model-files.ts';
import { asRecord, labelsOf, normalizationOf, sizeOf, type Configuration, type Parsed } from './configuration.ts';

const results: readonly (readonly [RegExp, ModelReading['result']])[] = [
  [/ForObjectDetection$/, 'boxes'],
  [/For(Semantic|Universal)Segmentation$/, 'segmentation'],
  [/ForImageClassification(WithTeacher)?$/, 'labels'],
  [/ForDepthEstimation$/, 'depth'],
];

/** `config.json`: labels and the kind of model. */
export function readConfig(file: Parsed): Partial<Configuration> | null {
  const labels = labelsOf(file['id2label']);
  const [architecture] = Array.isArray(file['architectures']) ? file['architectures'].map(String) : [];
  const result = results.find(([pattern]) => pattern.test(architecture ?? ''))?.[1] ?? null;
  return labels === null && result === null ? null : { labels, result };
}

const sampling = { bilinear: 2, bicubic: 3 } as const;

/** `preprocessor_config.json`: size, rescaling and normalization. */
export function readPreprocessor(file: Parsed): Partial<Configuration> | null {
  const isImage = 'image_mean' in file || 'do_normalize' in file || 'do_resize' in file;
  if (!isImage) return null;
  const scale = file['do_rescale'] === false ? 1 : (file['rescale_factor'] ?? 1 / 255);
  const isNormalized = file['do_normalize'] !== false;
  const normalization = isNormalized
    ? normalizationOf(scale, file['image_mean'], file['image_std'])
    : normalizationOf(scale, 0, 1);
  return { ...resizingOf(file), normalization, colour: 'RGB' };
}

function resizingOf(file: Parsed): Partial<Configuration> {
  if (file['do_resize'] === false) return {};
  const given = file['size'];
  const {
    width,
    height,
    shortest_edge: shortest,
  } = asRecord(typeof given === 'number' ? { width: given, height: given } : given);
  const crop = asRecord(file['crop_size']);
  // Both filters average when they shrink.
  const smooth = [sampling.bilinear, sampling.bicubic].some((one) => one === file['resample']) ? true : null;
  const cropped = file['do_center_crop'] === true ? sizeOf(crop['width'], crop['height']) : null;
  // The crop of a larger image has another scale than the crop that Limner makes.
  if (cropped !== null) return { size: cropped, smooth, fit: shortest === cropped.width ? 'crop' : null };
  const size = sizeOf(width, height);
  return size === null || file['do_pad'] === true ? { smooth } : { size, smooth, fit: 'stretch' };
}
