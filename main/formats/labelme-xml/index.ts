import { isSystemFile, type Source } from '../io/source.ts';
import { type AnnotationAdder, createAnnotationAdder } from '../kit/add-annotation.ts';
import { readAnnotationXmlSigns } from '../kit/annotation-xml.ts';
import { eachFile, notOfFormat } from '../kit/dataset-files.ts';
import { withoutExtension } from '../kit/dataset-items.ts';
import { carries, type DatasetReader, defineFormat } from '../kit/define-format.ts';
import { findFrame, notInTask } from '../kit/find-frame.ts';
import { createMaskAdder } from '../kit/mask-files/add-masks.ts';
import { setPixels, tryReadImage } from '../kit/mask-files/read-classes.ts';
import { createSizeWatch } from '../kit/mask-files/size-watch.ts';
import type { Detection } from '../kit/plugin.ts';
import { normalRotation } from '../kit/corner-box.ts';
import type { FrameInfo, LabeledShape, LabelInfo } from '../kit/task-data.ts';
import { createTrackShapes } from '../kit/track-shapes.ts';
import { exportLabelMe } from './export.ts';
import { groupsOf, type LabelMeObject, objectMembers, readLabelMe } from './read-annotation.ts';
import { createUnreadMembers } from '../kit/unread-members.ts';
import { isUsualSubset } from '../kit/usual-subsets.ts';

const format = 'LabelMe';

/** The tool stores files in `Annotations/<folder>`, images in `Images/<folder>` and masks in `Masks/<folder>`. */
const ownFolder = 'Annotations';

/** Subset of an annotation file: a folder named train, val or test (Datumaro), else the last folder before the image's path. */
function subsetOf(path: string, folder: string): string {
  const folders = path.split('/').slice(0, -1);
  const own = folder.split('/').filter((part) => part !== '');
  const ends = own.length > 0 && own.every((part, index) => folders[folders.length - own.length + index] === part);
  const usual = folders.findLast(isUsualSubset);
  if (usual !== undefined) return usual;
  const subset = (ends ? folders.slice(0, -own.length) : folders).at(-1) ?? 'default';
  return subset === ownFolder ? 'default' : subset;
}

/**
 * Masks are in a folder `Masks` beside the annotation file, in a parent folder, or in the tool's folder of that name.
 * Datumaro writes them to `Masks/<folder>`.
 */
function findMask(source: Source, xmlPath: string, file: string, folder: string): string | undefined {
  const clean = file.replaceAll('\\', '/').replace(/^(\.?\/)+/, '');
  const folders = xmlPath.split('/').slice(0, -1);
  const at = folders.lastIndexOf(ownFolder);
  const ofTool = [...folders.slice(0, at), 'Masks', ...folders.slice(at + 1), clean].join('/');
  if (at >= 0 && source.has(ofTool)) return ofTool;
  for (let depth = folders.length; depth >= 0; depth -= 1) {
    const base = folders.slice(0, depth).join('/');
    for (const path of [`${base}/Masks/${clean}`, `${base}/Masks/${folder}/${clean}`, `${base}/${clean}`]) {
      const candidate = path.replace(/^\//, '');
      if (source.has(candidate)) return candidate;
    }
  }
  return undefined;
}

function attributesOf({ fields, user }: LabelMeObject, label: LabelInfo | undefined): LabeledShape['attributes'] {
  const own = fields.own.filter(
    ({ name }) => name !== 'score' || label?.attributes.some((one) => one.name === 'score'),
  );
  const has = label?.attributes.some(({ name }) => name === 'username') ?? false;
  // The web tool uses this name for users who are not signed in.
  const isTelling = user !== '' && user !== 'anonymous';
  const isStated = own.some(({ name }) => name === 'username');
  return (has || isTelling) && !isStated ? [...own, { name: 'username', value: user }] : own;
}

type Fields = Omit<LabeledShape, 'type' | 'points'>;

function fieldsOf(object: LabelMeObject, frame: FrameInfo, group: number, label: LabelInfo | undefined): Fields {
  const { fields, outline } = object;
  const { rotation, source, trackId, keyframe, outside } = fields;
  const score = Number(fields.own.find(({ name }) => name === 'score')?.value);
  return {
    frame: frame.frame,
    label: object.label,
    occluded: fields.occluded,
    attributes: attributesOf(object, label),
    group,
    z_order: fields.zOrder,
    source: source ?? 'file',
    rotation: outline.type === 'rectangle' && rotation !== 0 ? normalRotation(rotation) : undefined,
    outside: outside || undefined,
    keyframe: trackId !== undefined && keyframe !== undefined && outline.type !== 'mask' ? keyframe : undefined,
    score: score >= 0 && score < 1 ? score : undefined,
  };
}

/** Reads LabelMe 3.0: annotation files of the MIT tool at any depth, and their masks. */
const importLabelMe: DatasetReader = async (source, task_data, options) => {
  const { report } = options;
  const paths = source.entries
    .map(({ path }) => path)
    .filter((path) => source.kind === 'file' || (/\.xml$/i.test(path) && !isSystemFile(path)));
  const masks = createMaskAdder(report, options.conv_mask_to_poly);
  const sizes = createSizeWatch(report);
  const statedSizes = createSizeWatch(report, { files: 'annotation files', kept: 'their coordinates' });
  const noteUnread = createUnreadMembers(report, objectMembers);
  const tracks = createTrackShapes(task_data, report);
  let used = 0;
  let deleted = 0;

  const addMask = async (
    add: AnnotationAdder,
    path: string,
    { file, folder }: { readonly file: string; readonly folder: string },
    fields: Fields,
    at: string,
    frame: FrameInfo,
  ): Promise<void> => {
    const maskPath = findMask(source, path, file, folder);
    if (maskPath === undefined) return report.invalid(path, at, `the mask ${file.slice(0, 200)} is not in the dataset`);
    const image = await tryReadImage(source, maskPath, report);
    if (!image) return undefined;
    sizes.compare(maskPath, image, frame);
    const points = setPixels(image, maskPath, report);
    if (!points) return report.invalid(maskPath, 'the image', 'it has no pixel of the object');
    return masks.add(add, points, fields, at);
  };

  const importFile = async (path: string): Promise<void> => {
    const annotation = await readLabelMe(source.stream(path), path, report, noteUnread);
    if (!annotation) {
      report.warn(`${path} was left out: its root element is not <annotation>.`);
      return;
    }
    used += 1;
    const { fileName, folder, objects, deletedCount, size } = annotation;
    deleted += deletedCount;
    if (objects.length === 0) return;
    const stem = `${withoutExtension(path.slice(path.lastIndexOf('/') + 1))}.jpg`;
    const names = [fileName === '' ? '' : `${folder === '' ? '' : `${folder}/`}${fileName}`, stem].filter(
      (name) => name !== '',
    );
    const frame = findFrame(task_data, names, subsetOf(path, folder), path);
    if (!frame) {
      report.invalid(path, 'line 1', notInTask(names[0] ?? '', objects.length));
      return;
    }
    statedSizes.compare(path, size, frame);
    const add = createAnnotationAdder(task_data, report, path);
    const groups = groupsOf(objects);
    const groupNumbers = new Map<number, number>();
    for (const object of objects) {
      const own = groups.get(object);
      const group = own === undefined ? 0 : (groupNumbers.get(own) ?? masks.nextGroup());
      if (own !== undefined) groupNumbers.set(own, group);
      const fields = fieldsOf(object, frame, group, task_data.label(object.label));
      const at = `line ${object.line}`;
      for (const problem of object.fields.problems) report.dropped('attribute', object.label, problem);
      if (object.outline.type === 'mask') {
        const { file } = object.outline;
        await addMask(add, path, { file, folder }, fields, at, frame);
      } else if (fields.keyframe !== undefined && object.fields.trackId !== undefined) {
        tracks.add(object.fields.trackId, { ...fields, ...object.outline }, path, at);
      } else add.shape({ ...fields, ...object.outline }, at);
    }
  };

  await eachFile(paths, task_data, options, importFile);
  if (used === 0) {
    throw notOfFormat(source, format, 'it has no XML files whose root element is <annotation>');
  }
  if (deleted > 0) report.warn(`${deleted} objects are marked as deleted and were left out.`);
  tracks.finish();
  sizes.finish();
  statedSizes.finish();
};

async function detectLabelMe(source: Source): Promise<Detection | null> {
  const { first, isLabelMe, undecided } = await readAnnotationXmlSigns(source);
  return isLabelMe ? { reason: `${first} has the elements of a LabelMe annotation.`, confidence: 0.95 } : undecided;
}

export const labelMe = defineFormat({
  name: 'LabelMe',
  version: '3.0',
  support: carries({
    both: ['rectangle', 'rotated rectangle', 'polygon', 'mask', 'track', 'attribute'],
    import: ['polyline', 'points'],
    converted: ['ellipse'],
  }),
  detect: detectLabelMe,
  read: importLabelMe,
  write: exportLabelMe,
});
