import { byJsonHead } from '../kit/json-heads.ts';

export const detectLabelStudio = byJsonHead(({ path, text, isList, has }) => {
  if (!isList) return null;
  if (has('data') && (has('annotations') || has('predictions') || has('completions')))
    return { reason: `${path} is a JSON list of tasks with data and annotations.`, confidence: 0.95 };
  const hasRegions = /"(rectangle|polygon|ellipse|keypoint|brush)labels"\s*:/.test(text);
  return hasRegions && (has('annotator') || has('annotation_id') || has('id'))
    ? { reason: `${path} is a flattened JSON list of tasks with their regions.`, confidence: 0.9 }
    : null;
});
