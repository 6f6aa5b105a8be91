import { byJsonHead } from '../kit/json-heads.ts';

export const detectSa1b = byJsonHead(({ path, text, isList, has }) => {
  if (isList || !has('image') || !has('annotations')) return null;
  const isSure = /"(predicted_iou|stability_score|crop_box)"\s*:/.test(text);
  return { reason: `${path} is JSON about one image and its masks.`, confidence: isSure ? 0.95 : 0.6 };
});
