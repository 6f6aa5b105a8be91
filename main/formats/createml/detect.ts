import { byJsonHead } from '../kit/json-heads.ts';

export const detectCreateMl = byJsonHead(({ path, text, isList, has }) => {
  const hasImages = has('image') || has('imagefilename') || has('filename');
  if (!isList || !hasImages || !(has('annotations') || has('annotation'))) return null;
  // Label Studio's lists have such members, too.
  if (has('data') || /"(rectangle|polygon|ellipse|keypoint|brush)labels"\s*:/.test(text)) return null;
  return /"coordinates"\s*:/.test(text)
    ? { reason: `${path} is a JSON list of images with boxes.`, confidence: 0.95 }
    : { reason: `${path} is a JSON list of images with annotations.`, confidence: 0.6 };
});
