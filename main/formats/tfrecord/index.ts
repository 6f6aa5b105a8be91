import { withoutNoise } from '../kit/short-decimals.ts';
import { sharesProblem } from '../kit/units.ts';
import { datasetImporter, type DatasetReader } from '../kit/define-format.ts';
import { likeliest, pathsToLookAt } from '../kit/detection.ts';
import { createAnnotationAdder, plainShape } from '../kit/add-annotation.ts';
import { findFrame, notInTask } from '../kit/find-frame.ts';
import { readImageFiles } from '../kit/image-files/read-image-files.ts';
import type { Detector, ImportOptions } from '../kit/plugin.ts';
import type { TaskData } from '../kit/task-data.ts';
import { isSystemFile, type Source } from '../io/source.ts';
import { AppError } from '../../platform/errors.ts';
import type { FormatReport } from '../kit/report.ts';
import { warnOfSharedNames } from '../kit/shared-names.ts';
import { decodeText, statedEncoding } from '../io/text-encoding.ts';
import { readLabelMapText } from './label-map.ts';
import { type Feature, MessageError, readExample } from './example.ts';
import { readRecords, RecordsError } from './records.ts';

const isRecordFile = (path: string): boolean => /\.(tfrecords?|record)(-\d+-of-\d+)?$/i.test(path);
/** Features of objects that are read. */
const readFeatures: ReadonlySet<string> = new Set([
  'image/object/class/text',
  'image/object/class/label',
  ...['xmin', 'ymin', 'xmax', 'ymax'].map((side) => `image/object/bbox/${side}`),
]);
const sides = ['xmin', 'ymin', 'xmax', 'ymax'] as const;

type Features = ReadonlyMap<string, Feature>;
const numbersAt = (features: Features, name: string): readonly number[] => features.get(name)?.numbers ?? [];

/** Names in `label_map.pbtxt` by number. */
async function readLabelMap(source: Source, report: FormatReport): Promise<ReadonlyMap<number, string>> {
  const paths = source.entries.map((entry) => entry.path).filter((one) => /\.pbtxt$/i.test(one) && !isSystemFile(one));
  const names = new Map<number, string>();
  for (const path of paths) {
    for (const [id, name] of readLabelMapText(decodeText(await source.read(path, 4 * 1024 * 1024), path))) {
      const other = names.get(id);
      if (other !== undefined && other !== name)
        throw new AppError(
          'invalid',
          `Cannot tell the class ${id}: the label maps name it "${other}" and "${name}". Import each dataset with its own label map. Nothing was imported.`,
        );
      names.set(id, name);
    }
  }
  warnOfSharedNames(report, paths.join(', '), names);
  return names;
}

interface Place {
  readonly path: string;
  readonly at: string;
  readonly task_data: TaskData;
  readonly encoding: string;
}

/** Adds the boxes of an example of TensorFlow Object Detection, whose sides are fractions of the image. */
function addExample(
  features: Features,
  names: ReadonlyMap<number, string>,
  { path, at, task_data, report, encoding }: Place & Pick<ImportOptions, 'report'>,
): void {
  const textsAt = (name: string): string[] =>
    features.get(name)?.bytes.map((one) => decodeText(one, `${path}, ${at}`, encoding)) ?? [];
  const [name = '', ...furtherNames] = [...textsAt('image/filename'), ...textsAt('image/source_id')];
  const places = sides.map((side) => numbersAt(features, `image/object/bbox/${side}`));
  const count = Math.max(...places.map(({ length }) => length));
  if (count === 0) return;
  if (places.some(({ length }) => length !== count))
    return report.invalid(path, at, 'has different numbers of left, top, right and bottom sides');
  const frame = findFrame(task_data, [name, ...furtherNames], 'default', path);
  if (!frame) return report.invalid(path, at, notInTask(name, count));
  const { width, height } = frame;
  if (!(width > 0 && height > 0)) return report.invalid(path, at, `the size of image "${name}" is not known`);
  const texts = textsAt('image/object/class/text');
  const numbers = numbersAt(features, 'image/object/class/label');
  const add = createAnnotationAdder(task_data, report, path);
  const others = [...features].filter(([feature, { bytes, numbers: values }]) => {
    const isOfObjects = feature.startsWith('image/object/') && !readFeatures.has(feature);
    return isOfObjects && (bytes.some(({ length }) => length > 0) || values.some((value) => value !== 0));
  });
  for (let index = 0; index < count; index += 1) {
    const number = numbers[index];
    const label = texts[index] || names.get(number ?? -1) || (number === undefined ? '' : String(number));
    const place = `${at}, box ${index}`;
    if (label === '') {
      report.invalid(path, place, 'has no label');
      continue;
    }
    // Rounded to the precision of 32-bit floats.
    const points = places.map((side, which) => {
      const value = Number((side[index] ?? Number.NaN).toPrecision(7)) * (which % 2 === 0 ? width : height);
      return withoutNoise(Math.round(value * 1e3) / 1e3);
    });
    const problem = sharesProblem(places.map((side) => side[index] ?? 0));
    if (!points.every(Number.isFinite)) report.invalid(path, place, 'has a side that is not a number');
    else if (problem !== undefined) report.invalid(path, place, problem);
    else {
      for (const [feature] of others)
        report.dropped('attribute', label, `A task has no field for the member "${feature}".`);
      add.shape(plainShape({ type: 'rectangle', points, frame: frame.frame, label }), place);
    }
  }
}

const importTfRecord: DatasetReader = async (source, task_data, options) => {
  const { report, signal } = options;
  const encoding = statedEncoding(options) ?? 'utf-8';
  const names = await readLabelMap(source, report);
  for (const name of names.values()) task_data.declare_label?.({ name });
  const read = async (path: string, onProgress: (fraction: number) => void): Promise<boolean> => {
    const size = source.entries.find((entry) => entry.path === path)?.sizeBytes ?? 0;
    let count = 0;
    let bytes = 0;
    try {
      for await (const record of readRecords(source.stream(path))) {
        signal.throwIfAborted();
        count += 1;
        bytes += record.length;
        onProgress(size > 0 ? Math.min(1, bytes / size) : 1);
        const at = `record ${count}`;
        try {
          addExample(readExample(record), names, { path, at, task_data, report, encoding });
        } catch (error) {
          if (!(error instanceof MessageError)) throw error;
          report.invalid(path, at, `is not a TensorFlow example: ${error.message}`);
        }
        await task_data.backpressure?.();
      }
    } catch (error) {
      if (!(error instanceof RecordsError)) throw error;
      report.invalid(path, `behind record ${count}`, `${error.message}: the rest of the file was left out`);
    }
    return count > 0;
  };
  const needs = 'records of TensorFlow: files such as train.tfrecord';
  await readImageFiles(source, task_data, options, { isFile: isRecordFile, needs, read });
};

const detectTfRecord: Detector = async (source) =>
  likeliest(
    await Promise.all(
      pathsToLookAt(source, /./)
        .filter((path) => source.kind === 'file' || isRecordFile(path))
        .slice(0, 5)
        .map(async (path) => {
          try {
            for await (const record of readRecords(source.stream(path)))
              return [...readExample(record).keys()].some((name) => name.startsWith('image/'))
                ? { reason: `${path} has records of images.`, confidence: 0.97 }
                : null;
          } catch (error) {
            if (!(error instanceof RecordsError || error instanceof MessageError)) throw error;
          }
          return null;
        }),
    ),
  );

export const tfRecordImporter = datasetImporter({
  name: 'TFRecord',
  version: '1.0',
  statesShares: true,
  ext: 'TFRECORD, RECORD, ZIP',
  support: { rectangle: 'import' },
  detect: detectTfRecord,
})(importTfRecord);
