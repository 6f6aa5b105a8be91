import { detectCamvid } from './camvid/detect.ts';
import { detectCityscapes } from './cityscapes/detect.ts';
import { detectCvat } from './cvat/detect.ts';
import { detectCoco } from './detect-coco.ts';
import type { FormatCandidate, FormatDetector } from './detection.ts';
import { withSource } from './io/source.ts';
import { detectKitti } from './kitti/detect.ts';
import { detectMots } from './mots-png/detect.ts';
import { detectOpenImages } from './open-images/detect.ts';
import { detectAnnotationXml } from './pascal-voc/detect.ts';
import type { SourceFile } from './plugin.ts';
import { findImporter } from './registry.ts';
import { detectUltralytics } from './ultralytics/detect.ts';
import { detectYolo } from './yolo/detect.ts';

export type { FormatCandidate } from './detection.ts';

const detectors: readonly FormatDetector[] = [
  detectCvat,
  detectCoco,
  detectYolo,
  detectUltralytics,
  detectAnnotationXml,
  detectCamvid,
  detectCityscapes,
  detectKitti,
  detectMots,
  detectOpenImages,
];

/**
 * The formats that a file, archive or folder may be in, by its content, the likeliest first. Only formats that can be
 * imported are named; an empty list means that none was recognised. Fails as `openSource` does for a file that cannot
 * be opened.
 */
export async function detectFormat(file: SourceFile): Promise<FormatCandidate[]> {
  return withSource(file, async (source) => {
    const candidates: FormatCandidate[] = [];
    for (const detect of detectors) candidates.push(...(await detect(source)));
    return candidates.filter(({ name }) => findImporter(name)).toSorted((a, b) => b.confidence - a.confidence);
  });
}
