import { eachFile, notOfFormat } from '../kit/dataset-files.ts';
import { createAnnotationAdder, plainShape } from '../kit/add-annotation.ts';
import { findFrame, notInTask } from '../kit/find-frame.ts';
import type { Source } from '../io/source.ts';
import { splitLines } from '../io/text-lines.ts';
import { booleanOption } from '../kit/option-values.ts';
import type { DatasetReader } from '../kit/define-format.ts';
import type { ImportOptions } from '../kit/plugin.ts';
import { createSizeWatch } from '../kit/mask-files/size-watch.ts';
import type { FrameInfo, TaskData } from '../kit/task-data.ts';
import { createTrackShapes, type TrackShapes } from '../kit/track-shapes.ts';
import { createUnreadMembers, createUnreadOfImages } from '../kit/unread-members.ts';
import { findLabelmap, standardLabels, type VocLabel } from './labelmap.ts';
import { declareListed, namesOf, openVoc, type VocLayout } from './layout.ts';
import { imageMembers, objectMembers, type ReadingOptions, readVocAnnotation, shapeOf } from './read-annotation.ts';
import { createMaskReader } from './masks.ts';

const format = 'PASCAL VOC';

interface Reading {
  readonly layout: VocLayout;
  readonly task_data: TaskData;
  readonly options: ImportOptions;
  readonly tracks: TrackShapes;
  readonly annotations: Pick<ReadingOptions, 'isOneBased' | 'noteUnread' | 'noteImage'>;
  readonly sizes: ReturnType<typeof createSizeWatch>;
  readonly nextGroup: () => number;
}

/** Adds the objects of an annotation file and returns its frame. */
async function importObjects(stem: string, path: string, reading: Reading): Promise<FrameInfo | undefined> {
  const { layout, task_data, options, tracks, annotations, sizes, nextGroup } = reading;
  const { report } = options;
  const input = layout.source.stream(path);
  const { fileName, size, objects } = await readVocAnnotation(input, { file: path, report, ...annotations });
  const frame = findFrame(task_data, namesOf(stem, fileName), layout.subsetOf(stem), path);
  if (!frame) {
    if (objects.length > 0) report.invalid(path, 'line 1', notInTask(fileName ?? stem, objects.length));
    return undefined;
  }
  if (objects.length > 0) sizes.compare(path, size, frame);
  const add = createAnnotationAdder(task_data, report, path);
  for (const object of objects) {
    const at = `line ${object.line}`;
    const group = object.parts.length > 0 ? nextGroup() : 0;
    const shape = shapeOf(object, frame.frame, group, task_data.label(object.label));
    if (shape.keyframe === undefined || object.fields.trackId === undefined) add.shape(shape, at);
    else tracks.add(object.fields.trackId, shape, path, at);
    for (const { label, points, line } of object.parts) {
      add.shape(
        plainShape({
          type: 'rectangle',
          frame: frame.frame,
          label,
          points,
          group,
        }),
        `line ${line}`,
      );
    }
  }
  return frame;
}

/** Reads image labels: the list of a label marks the images that show it with 1. */
async function importClassLists(labels: readonly VocLabel[], { layout, task_data, options }: Reading): Promise<void> {
  const { report, signal } = options;
  const known = new Set(labels.map(({ name }) => name));
  for (const { path, readings } of layout.classLists) {
    signal.throwIfAborted();
    const [first] = readings;
    const reading = readings.find(({ label }) => known.has(label) || task_data.label(label)) ?? first;
    if (!reading) continue;
    const add = createAnnotationAdder(task_data, report, path);
    for (const [index, line] of splitLines(await layout.source.read(path)).entries()) {
      const match = /^(.*\S)\s+(-1|0|1)$/.exec(line.trim());
      const at = `line ${index + 1}`;
      if (!match) {
        if (line.trim() !== '') report.invalid(path, at, 'a line must be the name of an image and 1, 0 or -1');
        continue;
      }
      const [, stem = '', mark] = match;
      if (mark !== '1') continue;
      const frame = findFrame(task_data, namesOf(stem), reading.subset, path);
      if (frame) add.tag({ frame: frame.frame, label: reading.label, attributes: [], group: 0, source: 'file' }, at);
      else report.invalid(path, at, `image "${stem}" is not in the task: its label was left out`);
    }
  }
}

function refuseOthers(source: Source, { stems, classLists }: VocLayout): void {
  if (stems.length > 0 || classLists.length > 0) return;
  throw notOfFormat(
    source,
    format,
    'it has neither annotation files (Annotations/*.xml) nor masks (SegmentationClass) nor lists of labels (ImageSets/Main)',
  );
}

/**
 * Reads PASCAL VOC: boxes from annotation files, masks from segmentation images, image labels from lists. The option
 * `one_based` reads coordinates from 1, as in the published datasets; `color_tolerance` accepts mask colors that differ
 * slightly.
 */
export const importVoc: DatasetReader = async (source, task_data, options) => {
  const { report } = options;
  const layout = await openVoc(source);
  refuseOthers(source, layout);
  const labelmap = await findLabelmap(layout.source, report);
  for (const { name, parts } of labelmap ?? []) {
    if (name !== 'background') task_data.declare_label?.({ name });
    for (const part of parts) task_data.declare_label?.({ name: part });
  }
  const tracks = createTrackShapes(task_data, report);
  const masks = createMaskReader(layout, labelmap, task_data, options);
  const sizes = createSizeWatch(report, { files: 'annotation files', kept: 'their coordinates' });
  const unreadOfImages = createUnreadOfImages(report, imageMembers);
  const annotations = {
    isOneBased: booleanOption(options, 'one_based', false),
    noteUnread: createUnreadMembers(report, objectMembers),
    noteImage: unreadOfImages.note,
  };
  const reading: Reading = { layout, task_data, options, tracks, annotations, sizes, nextGroup: masks.nextGroup };
  await eachFile(layout.stems, task_data, options, async (stem) => {
    const path = layout.annotations.get(stem);
    await masks.read(stem, path === undefined ? undefined : await importObjects(stem, path, reading));
  });
  declareListed(layout, task_data);
  await importClassLists(labelmap ?? standardLabels(), reading);
  tracks.finish();
  masks.finish();
  sizes.finish();
  unreadOfImages.finish();
};
