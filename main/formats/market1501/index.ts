import { splitLines } from '../io/text-lines.ts';
import { createAnnotationAdder } from '../kit/add-annotation.ts';
import { labelOfAll, readDatasetFiles, readRows, someOf } from '../kit/dataset-files.ts';
import { type DatasetReader, defineFormat } from '../kit/define-format.ts';
import { amongFiles, isWithinReach, readHead } from '../kit/detection.ts';
import { findFrame } from '../kit/find-frame.ts';
import { exportMarket } from './export.ts';
import {
  attributeNames,
  attributesOf,
  findMarketFiles,
  format,
  imageNames,
  type MarketFile,
  personLabel,
  placeOfImage,
  readPersonName,
} from './names.ts';

/** Longer paths are not read from any archive. */
const maxPathLength = 1024;

/** Reads Market-1501: images of persons whose names state the person and the camera. */
const importMarket: DatasetReader = async (source, task_data, options) => {
  const { report } = options;
  const seen = new Set<number>();
  let label: string | undefined;
  let unnamed = 0;

  const addImage = (path: string, file: string, at: string, subset: string | undefined): void => {
    const place = path.length > maxPathLength ? undefined : placeOfImage(path);
    if (!place) return report.invalid(file, at, 'an image must be in a folder bounding_box_… or query');
    const person = readPersonName(place.name);
    if (!person) {
      unnamed += 1;
      return undefined;
    }
    const frame = findFrame(
      task_data,
      imageNames(place.folder, place.name, person),
      subset ?? place.subset ?? task_data.meta.subset,
      file,
    );
    if (!frame)
      return report.invalid(file, at, `image "${path.slice(0, 200)}" is not in the task: its person was left out`);
    // Lists and folders of a dataset may contain the same images.
    if (seen.has(frame.frame)) return undefined;
    seen.add(frame.frame);
    label ??= labelOfAll(task_data, personLabel, options);
    const attributes = attributesOf(person, place.isQuery);
    return createAnnotationAdder(task_data, report, file).tag(
      { frame: frame.frame, label, attributes, group: 0, source: 'file' },
      at,
    );
  };

  await readDatasetFiles<MarketFile>(source, task_data, options, {
    format,
    needs: 'images in folders bounding_box_… or query, and no lists such as images_train.txt',
    find() {
      task_data.declare_label?.({
        name: personLabel,
        attributes: attributeNames.map((name) => ({
          name,
          mutable: false,
          input_type: name === 'query' ? 'checkbox' : 'text',
          default_value: name === 'query' ? 'false' : '',
          values: [],
        })),
      });
      return someOf(findMarketFiles(source));
    },
    async read({ path, kind, subset }) {
      if (kind === 'image') return addImage(path, path, 'the image', subset);
      const takeLine = (line: string, lineNumber: number): void => {
        const image = line.trim().replaceAll('\\', '/');
        if (image !== '') addImage(image, path, `line ${lineNumber}`, subset);
      };
      return readRows(source, path, { task_data, options }, takeLine);
    },
  });
  if (unnamed > 0) report.warn(`${unnamed} image names do not state a person and a camera: the images got no tag.`);
};

/** Detects images in the folders of Market-1501, or lists of such images. */
const detectMarket = amongFiles(async (source) => {
  const files = findMarketFiles(source).filter(({ path }) => isWithinReach(path));
  const image = files.find(({ kind, subset }) => kind === 'image' && subset !== undefined);
  if (image) return { reason: `${image.path} is in a folder of Market-1501.`, confidence: 0.95 };
  for (const { path } of files.filter(({ kind }) => kind === 'list')) {
    const [first = ''] = splitLines(await readHead(source, path, 16 * 1024));
    if (placeOfImage(first.trim()))
      return { reason: `${path} lists images in folders of Market-1501.`, confidence: 0.95 };
  }
  return null;
});

export const market = defineFormat({
  name: 'Market-1501',
  version: '1.0',
  lacksSubsets: true,
  support: { tag: 'both', attribute: 'partial' },
  detect: detectMarket,
  read: importMarket,
  write: exportMarket,
});
