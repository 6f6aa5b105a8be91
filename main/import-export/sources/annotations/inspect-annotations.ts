import type { ImportPreview } from '../../../../preload/contract/schema/formats.ts';
import type { LabelWrite } from '../../../../preload/contract/schema/labels.ts';
import { createFrameFinder, type FrameMatching } from '../../../formats/import-choices/frame-choice.ts';
import { createImageTally, type StatedImage } from '../../../formats/import-choices/image-tally.ts';
import { applyImportChoices, readImportChoices } from '../../../formats/import-choices/import-choices.ts';
import { firstUnwantedFrame, isUnwanted, unwantedFrameInfo } from '../../../formats/import-choices/subset-choice.ts';
import { withOverrides } from '../../../formats/kit/with-overrides.ts';
import { LeftOutError } from '../../../formats/kit/label-mapping.ts';
import { createFormatReport } from '../../../formats/kit/report.ts';
import type { LabelInfo, TaskData } from '../../../formats/kit/task-data.ts';
import type { JobRun } from '../../../platform/worker-job.ts';
import { createLabelCollector } from '../../import/label-collector.ts';
import { createLabelCounter } from '../../import/label-counter.ts';
import { importerOf, runImporter } from '../../import/run-importer.ts';
import { withWorkerContext } from '../../bulk-writer/worker-context.ts';
import { withOriginalImages } from '../../annotation-reader/original-images.ts';
import { createStoredView } from '../../annotation-reader/stored-view.ts';
import type { AnnotationsFile } from './annotations-parse.ts';

/** Maximum number of listed names; others are only counted. */
const maxNamed = 200;

export interface AnnotationsInspection {
  readonly survey: ImportPreview;
  /** Labels needed for the objects that have a frame. */
  readonly labels: readonly LabelWrite[];
}

/** Maximum number of passes over a file. */
const passes = 2;

/** Inspects an annotation file for a task or a job. Writes nothing. */
export function inspectAnnotations(job: AnnotationsFile, run: JobRun): Promise<AnnotationsInspection> {
  const choices = { ...readImportChoices(job.options, importerOf(job)), label_mapping: undefined, masks: undefined };
  // Masks are only counted, so converting them to polygons would be wasted.
  const options = { ...job.options, conv_mask_to_poly: false };
  return withWorkerContext(job, run, (context) =>
    withOriginalImages(job.dataDirectory, async (images) => {
      const plain = createStoredView(context, job.target, { images, report: createFormatReport() });
      const { task_data } = applyImportChoices(plain, createFormatReport(), { options, choices });
      let pass = 0;
      const read: Read = async (surveyed) => {
        const before = pass;
        pass += 1;
        const progress = (fraction: number) => run.progress(Math.min(1, (before + fraction) / passes));
        await runImporter(
          job,
          { task_data: surveyed, report: createFormatReport(), options },
          { signal: run.signal, progress },
        );
      };
      return survey(task_data, plain, { matching: choices.frame_matching, read });
    }),
  );
}

/** Runs an importer on a task that accepts everything and stores nothing. */
type Read = (task_data: TaskData) => Promise<void>;

/**
 * Inspects a file: its labels and subsets, its images and the frames that they match. If images match no frame, a
 * second pass collects the labels of their objects. Writes nothing.
 * @param task_data The task with the user's choices, except for labels.
 * @param plain The task itself, to count other ways of matching.
 */
async function survey(
  task_data: TaskData,
  plain: TaskData,
  { matching, read }: { readonly matching: FrameMatching; readonly read: Read },
): Promise<AnnotationsInspection> {
  const frames = createFrameRecorder(task_data, matching);
  let labels = createLabelRecorder();
  await read(labels.over(frames.task));
  const arriving = labels.writes();
  const unmatched = frames.images.filter(({ frame }) => frame === null);
  if (unmatched.length > 0) {
    labels = createLabelRecorder();
    await read(labels.over(withStandIns(task_data, unmatched)));
  }
  return {
    labels: arriving,
    survey: {
      labels: labels.rows(labels.writes(), plain.meta.labels),
      subsets: [...frames.subsets].toSorted(),
      frames: frames.summary(plain),
    },
  };
}

/** Records the images of the file, and the frames that get objects. */
function createFrameRecorder(task_data: TaskData, matching: FrameMatching) {
  const tally = createImageTally();
  const subsets = new Set<string>();
  const used = new Set<number>();
  const use = (frame: number): void => {
    if (!isUnwanted(frame)) used.add(frame);
  };
  const task = withOverrides(task_data, {
    match_frame(item) {
      if (item.subset !== undefined && item.subset !== '') subsets.add(item.subset);
      const frame = task_data.match_frame(item);
      if (frame !== null && isUnwanted(frame)) return frame;
      const image = tally.image(item);
      if (image) image.frame ??= frame;
      return frame;
    },
    add_tag: ({ frame }) => use(frame),
    add_shape: ({ frame }) => use(frame),
    add_track: ({ shapes }) => shapes.forEach(({ frame, outside }) => (outside ? undefined : use(frame))),
  });
  return {
    task,
    images: tally.images,
    subsets,
    summary: (plain: TaskData) => frameSummary({ images: tally.images, used, matching }, plain),
  };
}

interface FrameFindings {
  readonly images: readonly StatedImage[];
  readonly used: ReadonlySet<number>;
  readonly matching: FrameMatching;
}

function frameSummary({ images, used, matching }: FrameFindings, plain: TaskData): ImportPreview['frames'] {
  const fitting = (way: FrameMatching): number => {
    const find = createFrameFinder(plain, way);
    const hits = new Set<number>();
    for (const { tried, index } of images) {
      const hit = tried.map((item) => find(item, index)).find((frame) => frame !== null);
      if (hit !== undefined && hit !== null) hits.add(hit);
    }
    return hits.size;
  };
  const unmatched = images.filter(({ frame }) => frame === null).map(({ tried }) => nameOf(tried[0]));
  const matched = new Set([...images.flatMap(({ frame }) => frame ?? []), ...used]);
  const silent = Array.from(plain.frames).filter(({ frame }) => !matched.has(frame));
  return {
    matching,
    total: plain.frame_count,
    stated: images.length,
    matched: matched.size,
    fitting: { auto: fitting('auto'), name: fitting('name'), number: fitting('number'), order: fitting('order') },
    unmatchedCount: unmatched.length,
    unmatched: unmatched.slice(0, maxNamed),
    pairs: images
      .flatMap(({ tried, frame }) =>
        frame === null ? [] : [{ file: nameOf(tried[0]), frame: plain.frame_info(frame)?.name ?? `frame ${frame}` }],
      )
      .slice(0, maxNamed),
    silentCount: silent.length,
    silent: silent.slice(0, maxNamed).map(({ name }) => name),
  };
}

const nameOf = (item: StatedImage['tried'][number] | undefined): string =>
  (item?.name ?? `frame ${item?.frame ?? ''}`).slice(0, 500);

/** Gives every image a frame number that the task does not have, so that its objects are counted. */
function withStandIns(task_data: TaskData, images: readonly StatedImage[]): TaskData {
  const keyOf = ({ name, frame, subset }: StatedImage['tried'][number]) =>
    `${subset ?? ''}\u0000${name ?? ''}\u0000${frame ?? ''}`;
  const places = new Map(images.flatMap(({ tried, index }) => tried.map((item) => [keyOf(item), index] as const)));
  return withOverrides(task_data, {
    match_frame(item) {
      const frame = task_data.match_frame(item);
      if (frame !== null) return frame;
      const place = places.get(keyOf(item));
      return place === undefined ? null : standIn(place);
    },
    frame_info: (frame) => (isStandIn(frame) ? unwantedFrameInfo(task_data, frame) : task_data.frame_info(frame)),
    add_tag: () => undefined,
    add_shape: () => undefined,
    add_track: () => undefined,
  });
}

const firstStandIn = firstUnwantedFrame * 1.5;
const standIn = (place: number): number => firstStandIn + place;
const isStandIn = (frame: number): boolean => frame >= firstStandIn;

function createLabelRecorder() {
  const counter = createLabelCounter();
  const collector = createLabelCollector();
  const requireWanted = (frame: number | undefined): void => {
    if (frame !== undefined && isUnwanted(frame) && !isStandIn(frame)) throw new LeftOutError('Of another subset.');
  };
  return {
    over(task_data: TaskData): TaskData {
      const counted = counter.over(task_data);
      return withOverrides(counted, {
        declare_label: (label) => collector.declare(label),
        add_tag(tag) {
          requireWanted(tag.frame);
          collector.object(tag.label, 'tag', tag.attributes, false);
          counted.add_tag(tag);
        },
        add_shape(shape) {
          requireWanted(shape.frame);
          collector.shape(shape);
          counted.add_shape(shape);
        },
        add_track(track) {
          requireWanted(track.shapes[0]?.frame);
          collector.track(track);
          counted.add_track(track);
        },
      });
    },
    /** Only labels with objects. */
    writes: (): LabelWrite[] => collector.result().filter(({ name }) => counter.has(name ?? '')),
    rows(writes: readonly LabelWrite[], present: readonly LabelInfo[]): ImportPreview['labels'] {
      const known = new Map(present.map((label) => [label.name, label]));
      const named = new Map(writes.map((label) => [label.name ?? '', label]));
      return counter.result().map((counted) => {
        const { name } = counted;
        const attributes = (named.get(name)?.attributes ?? []).map((attribute) => attribute.name);
        const own = new Set(known.get(name)?.attributes.map((attribute) => attribute.name));
        const unknownAttributes = attributes.filter((attribute) => !own.has(attribute));
        return { ...counted, types: [...counted.types], known: known.has(name), unknownAttributes };
      });
    },
  };
}
