import { camvidExporter, camvidImporter } from './camvid/index.ts';
import { cityscapesExporter, cityscapesImporter } from './cityscapes/index.ts';
import { cocoExporter, cocoImporter, cocoRleExporter } from './coco/index.ts';
import { cocoKeypointsExporter, cocoKeypointsImporter } from './coco/keypoints/index.ts';
import { cocoPanopticExporter, cocoPanopticImporter } from './coco/panoptic/index.ts';
import { cocoResultsImporter } from './coco/results/index.ts';
import { csvExporter, csvImporter } from './csv/index.ts';
import { cvatImagesExporter, cvatImporter, cvatVideoExporter } from './cvat/index.ts';
import { createMlExporter, createMlImporter } from './createml/index.ts';
import { datumaroExporter, datumaroImporter } from './datumaro/index.ts';
import {
  icdarLocalizationExporter,
  icdarLocalizationImporter,
  icdarRecognitionExporter,
  icdarRecognitionImporter,
  icdarSegmentationExporter,
  icdarSegmentationImporter,
} from './icdar/index.ts';
import { imageNetExporter, imageNetImporter } from './imagenet/index.ts';
import { dotaExporter, dotaImporter } from './dota/index.ts';
import { kittiExporter, kittiImporter } from './kitti/index.ts';
import { labelStudioExporter, labelStudioImporter } from './label-studio/index.ts';
import {
  labelMeJsonExporter,
  labelMeJsonImporter,
  xAnyLabelingExporter,
  xAnyLabelingImporter,
} from './labelme-json/index.ts';
import { labelMeExporter, labelMeImporter } from './labelme-xml/index.ts';
import { lfwExporter, lfwImporter } from './lfw/index.ts';
import { marketExporter, marketImporter } from './market1501/index.ts';
import { motExporter, motImporter } from './mot/index.ts';
import { motsExporter, motsImporter } from './mots-png/index.ts';
import { openImagesExporter, openImagesImporter } from './open-images/index.ts';
import { vocExporter, vocImporter } from './pascal-voc/index.ts';
import { segmentationMaskExporter, segmentationMaskImporter } from './pascal-voc/segmentation-mask/index.ts';
import { withSource } from './io/open-source.ts';
import type { Source } from './io/source.ts';
import type { FormatCandidate } from './kit/detection.ts';
import {
  type FormatDescription,
  listedFormat,
  type ListedFormats,
  type RegisteredExporter,
  type RegisteredImporter,
  type SourceFile,
} from './kit/plugin.ts';
import { sa1bExporter, sa1bImporter } from './sa-1b/index.ts';
import {
  ultralyticsClassificationExporter,
  ultralyticsClassificationImporter,
  ultralyticsDetectionExporter,
  ultralyticsDetectionImporter,
  ultralyticsDetectionTrackExporter,
  ultralyticsOrientedBoxesExporter,
  ultralyticsOrientedBoxesImporter,
  ultralyticsPoseExporter,
  ultralyticsPoseImporter,
  ultralyticsSegmentationExporter,
  ultralyticsSegmentationImporter,
} from './ultralytics/index.ts';
import { vottExporter, vottImporter } from './vott-json/index.ts';
import { vggFace2Exporter, vggFace2Importer } from './vggface2/index.ts';
import { widerFaceExporter, widerFaceImporter } from './widerface/index.ts';
import { yoloExporter, yoloImporter } from './yolo/index.ts';

export interface FormatRegistry {
  readonly importers: readonly RegisteredImporter[];
  readonly exporters: readonly RegisteredExporter[];
  /** By display name, whatever its case; undefined for a name that nobody registered. */
  findImporter(name: string): RegisteredImporter | undefined;
  findExporter(name: string): RegisteredExporter | undefined;
  listFormats(): ListedFormats;
  /**
   * The formats that a file, archive or folder may be in, by its content, the likeliest first; of equals the one that
   * is listed first. Empty where none knows it. Fails as `openSource` does for a file that cannot be opened.
   */
  detectFormat(file: SourceFile): Promise<FormatCandidate[]>;
}

/** A new plug-in is added here and nowhere else. */
const importers: readonly RegisteredImporter[] = [
  cvatImporter,
  cocoImporter,
  cocoKeypointsImporter,
  cocoPanopticImporter,
  cocoResultsImporter,
  datumaroImporter,
  vocImporter,
  segmentationMaskImporter,
  camvidImporter,
  cityscapesImporter,
  kittiImporter,
  labelMeImporter,
  motImporter,
  motsImporter,
  openImagesImporter,
  icdarRecognitionImporter,
  icdarLocalizationImporter,
  icdarSegmentationImporter,
  imageNetImporter,
  lfwImporter,
  marketImporter,
  vggFace2Importer,
  widerFaceImporter,
  yoloImporter,
  ultralyticsDetectionImporter,
  ultralyticsOrientedBoxesImporter,
  ultralyticsSegmentationImporter,
  ultralyticsPoseImporter,
  ultralyticsClassificationImporter,
  labelMeJsonImporter,
  xAnyLabelingImporter,
  csvImporter,
  labelStudioImporter,
  dotaImporter,
  createMlImporter,
  vottImporter,
  sa1bImporter,
];
const exporters: readonly RegisteredExporter[] = [
  cvatImagesExporter,
  cvatVideoExporter,
  cocoExporter,
  cocoRleExporter,
  cocoKeypointsExporter,
  cocoPanopticExporter,
  datumaroExporter,
  vocExporter,
  segmentationMaskExporter,
  camvidExporter,
  cityscapesExporter,
  kittiExporter,
  labelMeExporter,
  motExporter,
  motsExporter,
  openImagesExporter,
  icdarRecognitionExporter,
  icdarLocalizationExporter,
  icdarSegmentationExporter,
  imageNetExporter,
  lfwExporter,
  marketExporter,
  vggFace2Exporter,
  widerFaceExporter,
  yoloExporter,
  ultralyticsDetectionExporter,
  ultralyticsDetectionTrackExporter,
  ultralyticsOrientedBoxesExporter,
  ultralyticsSegmentationExporter,
  ultralyticsPoseExporter,
  ultralyticsClassificationExporter,
  labelMeJsonExporter,
  xAnyLabelingExporter,
  csvExporter,
  labelStudioExporter,
  dotaExporter,
  createMlExporter,
  vottExporter,
  sa1bExporter,
];

function keyOf(name: string): string {
  return name.trim().toLowerCase();
}

function tableOf<Plugin extends FormatDescription>(
  kind: string,
  plugins: readonly Plugin[],
): ReadonlyMap<string, Plugin> {
  const table = new Map<string, Plugin>();
  for (const plugin of plugins) {
    const key = keyOf(plugin.display_name);
    if (table.has(key)) throw new Error(`Two ${kind}s are registered under the name "${plugin.display_name}".`);
    table.set(key, plugin);
  }
  return table;
}

async function askAll(plugins: readonly RegisteredImporter[], source: Source): Promise<FormatCandidate[]> {
  const candidates: FormatCandidate[] = [];
  for (const { display_name: name, detect } of plugins) {
    const found = await detect?.(source);
    if (found) candidates.push({ name, ...found });
  }
  return candidates.toSorted((a, b) => b.confidence - a.confidence);
}

/** Puts plug-ins together. Two importers, or two exporters, with one display name are an error; case makes no difference. */
export function createFormatRegistry(
  plugins: { readonly importers: readonly RegisteredImporter[]; readonly exporters: readonly RegisteredExporter[] } = {
    importers,
    exporters,
  },
): FormatRegistry {
  const importerTable = tableOf('importer', plugins.importers);
  const exporterTable = tableOf('exporter', plugins.exporters);
  return {
    importers: plugins.importers,
    exporters: plugins.exporters,
    findImporter: (name) => importerTable.get(keyOf(name)),
    findExporter: (name) => exporterTable.get(keyOf(name)),
    listFormats: () => ({
      importers: plugins.importers.map(listedFormat),
      exporters: plugins.exporters.map(listedFormat),
    }),
    detectFormat: (file) => withSource(file, (source) => askAll(plugins.importers, source)),
  };
}

export const builtInFormats = createFormatRegistry();

export const { findImporter, findExporter, listFormats, detectFormat } = builtInFormats;
