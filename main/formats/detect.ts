import { detectCamvid } from './camvid/detect.ts';
import { detectCityscapes } from './cityscapes/detect.ts';
import { detectCsv } from './csv/detect.ts';
import { detectCvat } from './cvat/detect.ts';
import { detectCoco } from './detect-coco.ts';
import { detectJson } from './detect-json.ts';
import type { FormatCandidate, FormatDetector } from './kit/detection.ts';
import { detectIcdar } from './icdar/detect.ts';
import { detectImageNet } from './imagenet/detect.ts';
import { detectDota } from './dota/detect.ts';
import { withSource } from './io/source.ts';
import { detectKitti } from './kitti/detect.ts';
import { detectLfw } from './lfw/detect.ts';
import { detectMarket } from './market1501/detect.ts';
import { detectMot } from './mot/detect.ts';
import { detectMots } from './mots-png/detect.ts';
import { detectOpenImages } from './open-images/detect.ts';
import { detectAnnotationXml } from './pascal-voc/detect.ts';
import type { SourceFile } from './kit/plugin.ts';
import { findImporter } from './registry.ts';
import { detectUltralytics } from './ultralytics/detect.ts';
import { detectVggFace2 } from './vggface2/detect.ts';
import { detectWiderFace } from './widerface/detect.ts';
import { detectYolo } from './yolo/detect.ts';

export type { FormatCandidate } from './kit/detection.ts';

const detectors: readonly FormatDetector[] = [
  detectCvat,
  detectCoco,
  detectJson,
  detectYolo,
  detectUltralytics,
  detectAnnotationXml,
  detectCamvid,
  detectCityscapes,
  detectKitti,
  detectMot,
  detectMots,
  detectOpenImages,
  detectIcdar,
  detectImageNet,
  detectLfw,
  detectMarket,
  detectVggFace2,
  detectWiderFace,
  detectCsv,
  detectDota,
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
