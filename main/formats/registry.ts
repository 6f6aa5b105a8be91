import { ade20kImporter } from './ade20k/index.ts';
import { bdd100k } from './bdd100k/index.ts';
import { camvid } from './camvid/index.ts';
import { cityscapesPolygons } from './cityscapes-polygons/index.ts';
import { cityscapes } from './cityscapes/index.ts';
import { coco, cocoRleExporter } from './coco/index.ts';
import { cocoKeypoints } from './coco/keypoints/index.ts';
import { cocoPanoptic } from './coco/panoptic/index.ts';
import { cocoResultsImporter } from './coco/results/index.ts';
import { cocoCaptions, cocoLabels } from './coco/whole-image/index.ts';
import { createMl } from './createml/index.ts';
import { csv } from './csv/index.ts';
import { cvatImagesExporter, cvatImporter, cvatVideoExporter } from './cvat/index.ts';
import { datumaro } from './datumaro/index.ts';
import { dota } from './dota/index.ts';
import { fiftyOne } from './fiftyone/index.ts';
import { huggingFace } from './huggingface/index.ts';
import { icdarLocalization, icdarRecognition, icdarSegmentation } from './icdar/index.ts';
import { imagesMasks } from './images-masks/index.ts';
import { imageNet } from './imagenet/index.ts';
import { withSource } from './io/open-source.ts';
import { withTextEncoding } from './io/text-encoding.ts';
import type { Source } from './io/source.ts';
import type { FormatCandidate } from './kit/detection.ts';
import {
  type Format,
  type FormatDescription,
  listedFormat,
  type ListedFormats,
  type RegisteredExporter,
  type RegisteredImporter,
  type SourceFile,
} from './kit/plugin.ts';
import { isat } from './isat/index.ts';
import { kitti } from './kitti/index.ts';
import { kittiTracking } from './kitti/tracking/index.ts';
import { labelStudio } from './label-studio/index.ts';
import { labelbox } from './labelbox/index.ts';
import { labelMeJson, xAnyLabeling } from './labelme-json/index.ts';
import { labelMe } from './labelme-xml/index.ts';
import { lfw } from './lfw/index.ts';
import { mapillaryImporter } from './mapillary/index.ts';
import { market } from './market1501/index.ts';
import { mot } from './mot/index.ts';
import { mots } from './mots-png/index.ts';
import { multiclassCsv } from './multiclass-csv/index.ts';
import { openImages } from './open-images/index.ts';
import { paddleOcr } from './paddleocr/index.ts';
import { voc } from './pascal-voc/index.ts';
import { segmentationMask } from './pascal-voc/segmentation-mask/index.ts';
import { sa1b } from './sa-1b/index.ts';
import { supervisely } from './supervisely/index.ts';
import { superAnnotate } from './superannotate/index.ts';
import { tfRecordImporter } from './tfrecord/index.ts';
import {
  ultralyticsClassification,
  ultralyticsDetection,
  ultralyticsDetectionTrackExporter,
  ultralyticsOrientedBoxes,
  ultralyticsPose,
  ultralyticsSegmentation,
} from './ultralytics/index.ts';
import { darwin } from './v7-darwin/index.ts';
import { visDrone } from './visdrone/index.ts';
import { vggFace2 } from './vggface2/index.ts';
import { via } from './via/index.ts';
import { vott } from './vott-json/index.ts';
import { widerFace } from './widerface/index.ts';
import { yolo } from './yolo/index.ts';

export interface FormatRegistry {
  readonly importers: readonly RegisteredImporter[];
  readonly exporters: readonly RegisteredExporter[];
  /** Finds an importer by display name, ignoring case; undefined for an unknown name. */
  findImporter(name: string): RegisteredImporter | undefined;
  findExporter(name: string): RegisteredExporter | undefined;
  listFormats(): ListedFormats;
  /**
   * Formats that a file, archive or folder may be in, by content, most likely first; of equal ones the first in the
   * list. Empty if none matches. Throws like `openSource` for a file that cannot be opened.
   */
  detectFormat(file: SourceFile): Promise<FormatCandidate[]>;
}

/** Add a new format here and nowhere else. */
const formats: readonly Format[] = [
  { importer: cvatImporter },
  { exporter: cvatImagesExporter },
  { exporter: cvatVideoExporter },
  coco,
  { exporter: cocoRleExporter },
  cocoKeypoints,
  cocoPanoptic,
  cocoCaptions,
  cocoLabels,
  { importer: cocoResultsImporter },
  datumaro,
  voc,
  segmentationMask,
  camvid,
  cityscapes,
  kitti,
  kittiTracking,
  labelMe,
  mot,
  mots,
  openImages,
  icdarRecognition,
  icdarLocalization,
  icdarSegmentation,
  imageNet,
  lfw,
  market,
  vggFace2,
  widerFace,
  yolo,
  ultralyticsDetection,
  { exporter: ultralyticsDetectionTrackExporter },
  ultralyticsOrientedBoxes,
  ultralyticsSegmentation,
  ultralyticsPose,
  ultralyticsClassification,
  labelMeJson,
  xAnyLabeling,
  csv,
  labelStudio,
  dota,
  createMl,
  vott,
  sa1b,
  isat,
  cityscapesPolygons,
  superAnnotate,
  supervisely,
  darwin,
  bdd100k,
  labelbox,
  via,
  huggingFace,
  paddleOcr,
  multiclassCsv,
  { importer: tfRecordImporter },
  imagesMasks,
  visDrone,
  fiftyOne,
  { importer: ade20kImporter },
  { importer: mapillaryImporter },
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

/** Combines plug-ins. Throws if two importers, or two exporters, have the same display name, ignoring case. */
export function createFormatRegistry(
  plugins: { readonly importers: readonly RegisteredImporter[]; readonly exporters: readonly RegisteredExporter[] } = {
    importers: formats.flatMap(({ importer }) => importer ?? []),
    exporters: formats.flatMap(({ exporter }) => exporter ?? []),
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
    detectFormat: (file) =>
      withSource(file, (source) => askAll(plugins.importers, withTextEncoding(source, { isLook: true }))),
  };
}

export const builtInFormats = createFormatRegistry();

export const { findImporter, findExporter, listFormats, detectFormat } = builtInFormats;
