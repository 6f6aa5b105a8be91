import { byJsonHead, type JsonHead } from '../kit/detection.ts';
import type { Detection } from '../kit/plugin.ts';

/** Files of the same dataset without annotations. */
const otherTasks = /^image_info_/i;

type Variant = 'instances' | 'keypoints' | 'panoptic' | 'captions' | 'labels';

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function variantOf({ path, text }: JsonHead): Variant {
  if (/^captions_/i.test(baseName(path))) return 'captions';
  if (/^labels_/i.test(baseName(path))) return 'labels';
  if (/"segments_info"\s*:/.test(text) || /^panoptic_/i.test(baseName(path))) return 'panoptic';
  if (/"keypoints"\s*:/.test(text) || /^person_keypoints_/i.test(baseName(path))) return 'keypoints';
  if (/"(bbox|segmentation)"\s*:/.test(text)) return 'instances';
  if (/"caption"\s*:/.test(text)) return 'captions';
  return /"category_id"\s*:/.test(text) ? 'labels' : 'instances';
}

/** Confidence that a document is COCO. Datumaro documents have `items`. */
function confidenceOf({ path, text, isList, has }: JsonHead): number {
  if (isList || otherTasks.test(baseName(path)) || has('items') || has('shapes')) return 0;
  if (has('images') && (has('annotations') || has('categories'))) return 0.95;
  if (has('images') && /"file_name"\s*:/.test(text)) return 0.9;
  if (has('annotations') && /"category_id"\s*:/.test(text)) return 0.8;
  return 0;
}

function instances(head: JsonHead): Detection | null {
  const confidence = confidenceOf(head);
  const variant = variantOf(head);
  if (confidence === 0 || (variant !== 'instances' && variant !== 'keypoints')) return null;
  if (variant === 'keypoints')
    return {
      reason: `${head.path} is COCO JSON; its boxes and outlines can be imported without the other data.`,
      confidence: 0.6,
    };
  return { reason: `${head.path} is JSON with ${head.keys.slice(0, 6).join(', ')} at its top level.`, confidence };
}

const ofVariant = (wanted: Variant, what: string) =>
  byJsonHead((head) =>
    confidenceOf(head) > 0 && variantOf(head) === wanted
      ? { reason: `${head.path} is COCO JSON ${what}.`, confidence: 0.95 }
      : null,
  );

export const detectInstances = byJsonHead(instances);
export const detectKeypoints = ofVariant('keypoints', 'with key points');
export const detectCaptions = ofVariant('captions', 'with captions');
export const detectLabels = ofVariant('labels', 'with image-level categories');
export const detectPanoptic = ofVariant('panoptic', 'with segment images');

export const detectResults = byJsonHead(({ path, text }) => {
  const first = text.slice(0, 4096);
  if (!/^\s*\[\s*\{/.test(first) || !/"image_id"\s*:/.test(first) || !/"(category_id|caption)"\s*:/.test(first))
    return null;
  return { reason: `${path} is a JSON list of rows with image_id, as in detection results.`, confidence: 0.9 };
});
