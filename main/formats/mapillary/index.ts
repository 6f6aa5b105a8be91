import { isSystemFile, type Source } from '../io/source.ts';
import { createAnnotationAdder } from '../kit/add-annotation.ts';
import { eachFile, notOfFormat } from '../kit/dataset-files.ts';
import { choice, datasetImporter, type DatasetReader } from '../kit/define-format.ts';
import { amongFiles } from '../kit/detection.ts';
import { readPairs } from '../kit/extra-fields.ts';
import { findFrame } from '../kit/find-frame.ts';
import { labelAt } from '../kit/image-files/image-documents.ts';
import { readJsonRecord } from '../kit/json-document.ts';
import { createMaskAdder } from '../kit/mask-files/add-masks.ts';
import { createUnknownValues, nothing, readNumbers } from '../kit/mask-files/read-classes.ts';
import { createSizeWatch } from '../kit/mask-files/size-watch.ts';
import { choiceOption } from '../kit/option-values.ts';
import type { ImportOptions } from '../kit/plugin.ts';
import { isRecord, reportRecord } from '../kit/records.ts';
import { createUnreadMembers } from '../kit/unread-members.ts';

const format = 'Mapillary Vistas';
/** Outlines of a dataset: pixels of each instance, or the original polygons (from version 2.0). */
const kinds = ['instances', 'polygons'] as const;
type Kind = (typeof kinds)[number];
/** A pixel has the label number in its upper byte and the instance number in its lower byte. */
const labelShift = 8;
const maxConfigBytes = 16 * 1024 * 1024;

interface OutlineFile {
  readonly path: string;
  readonly subset: string;
  readonly id: string;
  readonly kind: Kind;
  readonly version: string;
}

/**
 * `<subset>/v2.0/instances/<id>.png` and `<subset>/v2.0/polygons/<id>.json`; version 1 has no folder for the version.
 */
function outlineFiles(source: Source): OutlineFile[] {
  return source.entries.flatMap(({ path }): OutlineFile[] => {
    const match = /^(.*\/)?(instances|polygons)\/(.+)\.(png|json)$/i.exec(path);
    const [, above = '', folder = '', id = '', extension = ''] = match ?? [];
    const kind = kinds.find((one) => one === folder.toLowerCase());
    const isOfKind = extension.toLowerCase() === (kind === 'polygons' ? 'json' : 'png');
    if (!kind || !isOfKind || isSystemFile(path)) return [];
    const folders = above.split('/').slice(0, -1);
    const version = /^v(\d+\.\d+)$/.exec(folders.at(-1) ?? '')?.[1] ?? '';
    return [{ path, subset: folders.at(version === '' ? -1 : -2) ?? 'default', id, kind, version }];
  });
}

const isConfig = (path: string): boolean => /(^|\/)config(_v\d+\.\d+)?\.json$/i.test(path);

/** Label names by number: `config_v2.0.json` of version 2.0, `config.json` of version 1. */
async function readLabels(source: Source, version: string, { report, signal }: ImportOptions): Promise<string[]> {
  const paths = source.entries.map(({ path }) => path).filter((path) => isConfig(path) && !isSystemFile(path));
  const own =
    paths.find((path) => path.endsWith(`config_v${version}.json`)) ??
    paths.find((path) => path.endsWith('config.json'));
  if (own === undefined || (source.entries.find(({ path }) => path === own)?.sizeBytes ?? 0) > maxConfigBytes)
    return [];
  const { lists } = await readJsonRecord(source, own, { lists: ['labels'], report, signal });
  return (lists.get('labels') ?? []).map(({ value, at }) => {
    const name = isRecord(value) ? value['name'] : undefined;
    if (typeof name === 'string' && name !== '') return name;
    report.invalid(own, `${at}.name`, 'must be a string');
    return '';
  });
}

/** Reads Mapillary Vistas: instances as masks, or the polygons. */
const importMapillary: DatasetReader = async (source, task_data, options) => {
  const { report, signal } = options;
  const wanted = choiceOption(options, 'outlines', kinds);
  const all = outlineFiles(source);
  const kind = all.some((file) => file.kind === wanted) ? wanted : kinds.find((one) => one !== wanted);
  const ofKind = all.filter((file) => file.kind === kind);
  if (ofKind.length === 0)
    throw notOfFormat(
      source,
      format,
      'it has no folder instances/ or polygons/ (import its segment images as COCO Panoptic 1.0)',
    );
  if (kind !== wanted) report.warn(`The dataset has no ${wanted}: its ${kind} were imported.`);
  const [version = ''] = ofKind.map((file) => file.version).toSorted((a, b) => Number(b) - Number(a));
  const files = ofKind.filter((file) => file.version === version);
  if (files.length < ofKind.length) report.warn(`Version ${version} was imported; older ones were left out.`);
  const labels = await readLabels(source, version, options);
  if (labels.length === 0 && kind === 'instances')
    throw notOfFormat(source, format, `it has no config_v${version || '1.2'}.json, which names the labels`);
  for (const name of labels) if (name !== '') task_data.declare_label?.({ name });

  const masks = createMaskAdder(report, options.conv_mask_to_poly);
  const sizes = createSizeWatch(report);
  const noteUnread = createUnreadMembers(report, new Set(['label', 'polygon']));

  const readInstances = async ({ path }: OutlineFile, frame: NonNullable<ReturnType<typeof findFrame>>) => {
    const found = await readNumbers(path, frame, { source, report, sizes });
    if (!found) return;
    const unknown = createUnknownValues(report, (value) => `the label number ${value}`);
    const add = createAnnotationAdder(task_data, report, path);
    for (const [value, { points, area }] of found) {
      const number = value >> labelShift;
      const label = value === nothing ? undefined : labels[number];
      if (label === undefined || label === '') unknown.count(number, area);
      else {
        masks.add(add, points, { frame: frame.frame, label }, `number ${value}`);
      }
    }
    unknown.finish(path, 'numbers belong to no label');
  };

  const readPolygons = async ({ path }: OutlineFile, frame: NonNullable<ReturnType<typeof findFrame>>) => {
    const { values, lists, problem } = await readJsonRecord(source, path, { lists: ['objects'], report, signal });
    if (problem !== undefined) report.invalid(path, 'the JSON', problem);
    const [width, height] = [Number(values.get('width')), Number(values.get('height'))];
    if (width > 0 && height > 0) sizes.compare(path, { width, height }, frame);
    const add = createAnnotationAdder(task_data, report, path);
    for (const [order, { value, at }] of (lists.get('objects') ?? []).entries()) {
      try {
        const object = isRecord(value) ? value : {};
        const label = labelAt(object['label'], 'label');
        noteUnread(object, label);
        const points = readPairs(object['polygon'], 'polygon');
        const fields = { frame: frame.frame, label, points, occluded: false, attributes: [], group: 0 };
        // Later polygons cover earlier ones.
        add.shape({ ...fields, type: 'polygon', z_order: order, source: 'file' }, at);
      } catch (error) {
        reportRecord(report, path, at, error);
      }
    }
  };

  await eachFile(files, task_data, options, async (file) => {
    const frame = findFrame(task_data, [`${file.id}.jpg`, `images/${file.id}.jpg`], file.subset, file.path);
    if (!frame)
      return report.invalid(file.path, 'the image', `"${file.id}" is not in the task: its objects were left out`);
    return kind === 'polygons' ? readPolygons(file, frame) : readInstances(file, frame);
  });
  sizes.finish();
};

const detectMapillary = amongFiles((source) => {
  const [first] = outlineFiles(source);
  const config = source.entries.find(({ path }) => isConfig(path))?.path;
  if (!first || (config === undefined && first.version === '')) return null;
  return {
    reason: `${first.path} is in the folder that Mapillary Vistas uses for its ${first.kind}.`,
    confidence: 0.95,
  };
});

export const mapillaryImporter = datasetImporter({
  name: 'Mapillary Vistas',
  version: '2.0',
  ext: 'ZIP',
  support: { polygon: 'import', mask: 'import' },
  detect: detectMapillary,
  options: [
    choice(
      'outlines',
      'Outlines',
      { instances: 'Instances, as masks', polygons: 'Polygons' },
      'The pixels of each instance, or the original polygons, which may overlap.',
    ),
  ],
})(importMapillary);
