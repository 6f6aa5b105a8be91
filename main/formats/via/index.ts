import { readCsv, surplusProblem } from '../io/csv-rows.ts';
import { parseJson } from '../io/json-text.ts';
import { pauseBetween } from '../kit/dataset-files.ts';
import { carries, type DatasetReader, defineFormat } from '../kit/define-format.ts';
import { byHead } from '../kit/detection.ts';
import { createDocumentAdder, type ImageDocument } from '../kit/image-files/image-documents.ts';
import { elementsOf } from '../kit/image-files/image-lists.ts';
import { isJsonFile, readImageFiles, subsetOfPath } from '../kit/image-files/read-image-files.ts';
import { type JsonElement, readReportedJson } from '../kit/json-document.ts';
import { brief, isRecord, RecordError, reportRecord } from '../kit/records.ts';
import { exportVia } from './export.ts';
import { addRegion, shapeMembers, tagsAttribute } from './read-region.ts';

const isTable = (path: string): boolean => /\.csv$/i.test(path);
/** Place of image attributes in the report, where regions have their own place. */
const ofImage = 'file_attributes';

function regionsOf(regions: unknown): JsonElement[] {
  if (!isRecord(regions)) return elementsOf(regions, 'regions');
  // Version 1 has an object with numbers as keys.
  return Object.entries(regions).map(([key, value]) => ({ at: `regions.${key}`, value }));
}

/** Image data of a member; null if it describes something else. Throws `RecordError`. */
function documentOf(value: unknown): ImageDocument | null {
  if (!isRecord(value) || !('filename' in value || 'regions' in value)) return null;
  const { filename, regions, file_attributes: attributes } = value;
  if (typeof filename !== 'string') throw new RecordError('filename', `must be a string, but is ${brief(filename)}`);
  const own = isRecord(attributes) && Object.keys(attributes).length > 0;
  return {
    names: [filename],
    objects: [...regionsOf(regions), ...(own ? [{ at: ofImage, value: { [ofImage]: attributes } }] : [])],
  };
}

/** Reads VIA annotations as JSON, alone or in a project, or as CSV. */
const importVia: DatasetReader = async (source, task_data, options) => {
  const { report } = options;
  const adder = createDocumentAdder(
    {
      members: new Set(['shape_attributes', 'region_attributes', ...shapeMembers]),
      imageMembers: new Set('filename fileref size regions file_attributes base64_img_data'.split(' ')),
      addObject(region, place) {
        const attributes = region[ofImage];
        if (attributes === undefined) return addRegion(region, place);
        const { add, frame, at } = place;
        for (const [name, value] of Object.entries(isRecord(attributes) ? attributes : {})) {
          if (name === tagsAttribute && isRecord(value)) {
            for (const label of Object.keys(value))
              add.tag({ frame: frame.frame, label, attributes: [], group: 0, source: 'file' }, at);
          } else if (value !== '' && value !== null)
            report.invalid(place.path, `${at}.${name}`, 'a frame has no attributes: it was left out');
        }
      },
    },
    task_data,
    options,
  );

  const readJson = async (path: string, onProgress: (fraction: number) => void): Promise<boolean> => {
    let found = 0;
    let isProject = false;
    const take = async (key: string, value: unknown): Promise<void> => {
      try {
        const document = documentOf(value);
        if (!document) return;
        found += 1;
        if (isRecord(value)) adder.noteImage(value);
        await adder.add(path, key, document, subsetOfPath(path));
      } catch (error) {
        found += 1;
        reportRecord(report, path, key, error);
      }
      await task_data.backpressure?.();
    };
    await readReportedJson(source, path, options, {
      object: (key) => {
        if (key !== '_via_img_metadata') return undefined;
        isProject = true;
        return {
          value: (id = '', value) => take(id, value),
          badValue: (id, reason) => report.invalid(path, id, reason),
        };
      },
      array: () => 'skip',
      value: (key = '', value) => take(key, value),
      progress: onProgress,
    });
    const isOurs = found > 0 || isProject;
    if (!isOurs) report.warn(`${path} was left out: it has no images with regions.`);
    return isOurs;
  };

  const readTable = async (path: string): Promise<boolean> => {
    let columns: readonly string[] | undefined;
    const rows: { readonly at: string; readonly row: readonly string[] }[] = [];
    const cell = (row: readonly string[], name: string): string => row[columns?.indexOf(name) ?? -1] ?? '';
    const parsed = (row: readonly string[], name: string): unknown => {
      try {
        return parseJson(cell(row, name) || '{}');
      } catch {
        throw new RecordError(name, `is not JSON, but ${brief(cell(row, name))}`);
      }
    };
    const described = new Set<string>();
    const addRows = async (): Promise<void> => {
      for (const { at, row } of rows.splice(0)) {
        try {
          const problem = surplusProblem(row, columns?.length ?? 0);
          if (problem !== undefined) throw new RecordError('', problem);
          const region = {
            shape_attributes: parsed(row, 'region_shape_attributes'),
            region_attributes: parsed(row, 'region_attributes'),
          };
          // Each row repeats the image's attributes.
          const isFirst = !described.has(cell(row, 'filename'));
          described.add(cell(row, 'filename'));
          const attributes = isFirst ? parsed(row, 'file_attributes') : {};
          const regions = cell(row, 'region_count') === '0' ? [] : [region];
          const document = documentOf({ filename: cell(row, 'filename'), regions, file_attributes: attributes });
          if (document) await adder.add(path, at, document, subsetOfPath(path));
        } catch (error) {
          reportRecord(report, path, at, error);
        }
      }
      await pauseBetween(task_data, options)();
    };
    await readCsv(
      source.stream(path),
      (row, line) => {
        if (columns) return void rows.push({ at: `line ${line}`, row });
        const names = row.map((name) => name.replace(/^[\uFEFF#]+/, '').trim());
        columns = names.includes('region_shape_attributes') ? names : [];
      },
      { between: addRows },
    );
    return (columns?.length ?? 0) > 0;
  };

  await readImageFiles(source, task_data, options, {
    isFile: (path) => isJsonFile(path) || isTable(path),
    needs: 'annotations of VIA: JSON with "regions" for each image, or a table with "region_shape_attributes"',
    read: (path, onProgress) => (isTable(path) ? readTable(path) : readJson(path, onProgress)),
  });
  adder.finish();
};

const detectVia = byHead(
  /\.(json|csv)$/i,
  ({ path, text }) => {
    const isProject = /"_via_(img_metadata|settings)"\s*:/.test(text);
    const isPlain =
      /^\uFEFF?\s*\{\s*"[^"]*"\s*:\s*\{\s*"(filename|fileref|size|base64_img_data)"\s*:/.test(text) &&
      /"(regions|file_attributes)"\s*:/.test(text);
    const isRows = /^[#\s]*filename,file_size,.*region_shape_attributes/.test(text);
    return isProject || isPlain || isRows ? { reason: `${path} has regions of VIA.`, confidence: 0.95 } : null;
  },
  256 * 1024,
);

export const via = defineFormat({
  name: 'VIA JSON',
  version: '2.0',
  support: carries({
    both: ['rectangle', 'ellipse', 'polygon', 'polyline', 'points', 'tag', 'attribute'],
    converted: ['rotated rectangle', 'mask', 'track'],
  }),
  importExt: 'JSON, CSV, ZIP',
  detect: detectVia,
  read: importVia,
  write: exportVia,
});
