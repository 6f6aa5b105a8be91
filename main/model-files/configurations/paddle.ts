import { asRecord, labelsOf, normalizationOf, sizeOf, type Configuration, type Parsed } from './configuration.ts';

/** `inference.yml` of PaddleX: steps of PaddleClas and PaddleOCR, or of PaddleDetection. */
export function readInference(file: Parsed): Partial<Configuration> | null {
  const steps = asRecord(file['PreProcess'])['transform_ops'] ?? file['Preprocess'];
  if (!Array.isArray(steps)) return null;
  const after = asRecord(file['PostProcess']);
  const labels =
    labelsOf(file['label_list']) ??
    labelsOf(asRecord(after['Topk'])['label_list']) ??
    labelsOf(after['character_dict']);
  const found: Partial<Configuration> = labels === null ? {} : { labels };
  return steps.map(asRecord).reduce<Partial<Configuration>>((sum, step) => ({ ...sum, ...stepOf(step) }), found);
}

function stepOf(step: Parsed): Partial<Configuration> {
  // Steps of PaddleDetection name their type, others are named by their key.
  const [name = '', values] = 'type' in step ? [String(step['type']), step] : (Object.entries(step)[0] ?? []);
  const given = asRecord(values);
  if (name === 'DecodeImage' && (given['img_mode'] === 'BGR' || given['img_mode'] === 'RGB')) {
    return { colour: given['img_mode'] };
  }
  if (name === 'NormalizeImage') {
    const isScaled = 'is_scale' in given ? given['is_scale'] !== false : true;
    const [mean, deviation] = given['norm_type'] === 'none' ? [0, 1] : [given['mean'], given['std']];
    return { normalization: normalizationOf(isScaled ? scaleOf(given['scale']) : 1, mean, deviation) };
  }
  if (name === 'Resize' && Array.isArray(given['target_size'])) {
    const [height, width] = given['target_size'] as unknown[];
    return { size: sizeOf(width, height), fit: given['keep_ratio'] === false ? 'stretch' : null };
  }
  return name === 'CropImage' ? { size: sizeOf(given['size'], given['size']) } : {};
}

/** A number, or the text "1./255.". */
function scaleOf(scale: unknown): number {
  if (typeof scale === 'number') return scale;
  const [above, below] =
    /^(\d+(?:\.\d*)?)\s*\/\s*(\d+(?:\.\d*)?)$/
      .exec(String(scale ?? ''))
      ?.slice(1)
      .map(Number) ?? [];
  return above === undefined || below === undefined || below === 0 ? 1 / 255 : above / below;
}
