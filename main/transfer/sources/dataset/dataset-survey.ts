import type { LabelWrite } from '../../../../preload/contract/schema/labels.ts';
import { withSource } from '../../../formats/io/open-source.ts';
import { createFormatReport } from '../../../formats/kit/report.ts';
import { withoutExtension } from '../../../formats/kit/dataset-items.ts';
import { createMatchNotes } from '../../../formats/kit/match-notes.ts';
import { ambiguous } from '../../../formats/kit/path-finder.ts';
import type { FrameInfo, FrameMatch, TaskData } from '../../../formats/kit/task-data.ts';
import { withOverrides } from '../../../formats/kit/with-overrides.ts';
import { safeRelativeName } from '../../../media/safe-path.ts';
import { AppError } from '../../../platform/errors.ts';
import type { JobRun } from '../../../platform/worker-job.ts';
import { createLabelCollector } from '../../import/label-collector.ts';
import { runImporter } from '../../import/run-importer.ts';
import { createEmptyView, defaultSubset } from '../../view/empty-view.ts';
import { type ArchiveImages, createArchiveImages } from './archive-images.ts';
import { applyDatasetChoices, type DatasetFile } from './dataset-choices.ts';

/** An image of the dataset: a frame of the task that its subset becomes. */
export interface SurveyedFrame {
  /** Path in the archive. */
  readonly entry: string;
  /** Name in the task. */
  name: string;
}

interface SurveyedSubset {
  readonly name: string;
  readonly frames: readonly SurveyedFrame[];
}

/** What an archive holds, as far as it must be known before tasks can be made of it. */
export interface DatasetSurvey {
  /** Objects by the names that the file has for their labels. */
  readonly counts: readonly { readonly name: string; readonly count: number; readonly types: readonly string[] }[];
  readonly subsets: readonly SurveyedSubset[];
  readonly labels: readonly LabelWrite[];
  /** Which frame each name means that the annotations use: `[key, subset, name in the task]`; see {@link matchKey}. */
  readonly matches: readonly (readonly [key: string, subset: string, name: string])[];
  /** Images that the annotations speak of and that the archive does not hold. */
  readonly missing: { readonly count: number; readonly names: readonly string[] };
  /** Sentences about names that several images fit. */
  readonly notes: readonly string[];
}

export function matchKey({ subset = '', name = '', near = '' }: FrameMatch): string {
  return `${subset}\u0000${near.slice(0, Math.max(0, near.lastIndexOf('/')))}\u0000${name}`;
}

const maxNamed = 5;

/**
 * A task that is everything a file wants it to be: it has every label and every image of the archive. An importer that
 * runs over it tells which images belong to which subset, under which names, and which labels and attributes occur,
 * whatever its format.
 */
export function createSurveyView(images: ArchiveImages) {
  const subsets = new Map<string, Map<string, SurveyedFrame>>();
  const matches = new Map<string, { subset: string; frame: SurveyedFrame; number: number } | null>();
  const numbers: FrameInfo[] = [];
  /** Stated names that no image has; a further name for the same image may still find it. */
  const missing = new Set<string>();
  let lastMissing: string | undefined;
  const notes = createMatchNotes();
  const labels = createLabelCollector();
  /** Also those of which no annotation speaks. */
  const named = new Set<string>();
  const masks = new Set<string>();

  function claim(subset: string, frame: SurveyedFrame): void {
    const frames = subsets.get(subset) ?? new Map<string, SurveyedFrame>();
    subsets.set(subset, frames);
    if (!frames.has(frame.entry)) frames.set(frame.entry, frame);
  }

  /** As the file states it; where it states none, the image may lie in the folder of one. */
  function subsetOf({ subset = defaultSubset }: FrameMatch, entry: string): string {
    return subset !== defaultSubset || entry.split('/').includes(subset) ? subset : images.placeOf(entry).subset;
  }

  function match(item: FrameMatch): number | null {
    const key = matchKey(item);
    const known = matches.get(key);
    if (known !== undefined) return known?.number ?? null;
    const name = item.name ?? '';
    const image = images.find({ ...item, subset: item.subset ?? defaultSubset });
    notes.take(item, image === 'ambiguous' ? ambiguous : image ? numbers.length : undefined);
    if (item.isGuess !== true) lastMissing = undefined;
    if (image === undefined || image === 'ambiguous') {
      matches.set(key, null);
      if (image === undefined && name !== '' && item.isGuess !== true) missing.add((lastMissing = name));
      return null;
    }
    if (lastMissing !== undefined) missing.delete(lastMissing);
    const subset = subsetOf(item, image.entry);
    const frame = subsets.get(subset)?.get(image.entry) ?? {
      entry: image.entry,
      name: isEndOf(name, image.entry)
        ? nameFor(withoutSubset(name, subset, image.entry), image.entry)
        : images.placeOf(image.entry, subset).name,
    };
    claim(subset, frame);
    const number = numbers.push(frameInfo(numbers.length, frame.name, subset)) - 1;
    matches.set(key, { subset, frame, number });
    return number;
  }

  const view = createEmptyView(
    {},
    {
      frame_image: async () => null,
      match_frame: match,
      // A file that speaks of frames by number means the images in their order, which is not known yet.
      frame_info: (frame) =>
        Number.isInteger(frame) && frame >= 0 ? (numbers[frame] ?? frameInfo(frame, '', '')) : undefined,
      declare_label: (label) => labels.declare(label),
      declare_subset: (name) => void named.add(name),
      declare_mask: (path) => void masks.add(path),
      add_tag: (tag) => labels.object(tag.label, 'tag', tag.attributes, false),
      add_shape: (shape) => labels.shape(shape),
      add_track: (track) => labels.track(track),
    },
  );

  return {
    view,
    result(): Omit<DatasetSurvey, 'counts'> {
      const claimed = new Set([...subsets.values()].flatMap((frames) => [...frames.keys()]));
      for (const frames of subsets.values()) giveOwnNames([...frames.values()]);
      const taken = new Set(
        [...subsets].flatMap(([subset, frames]) => [...frames.values()].map(({ name }) => `${subset}\u0000${name}`)),
      );
      for (const { entry, name, subset } of images.others(claimed, new Set([...named, ...subsets.keys()]))) {
        if (isMaskOf(masks, entry)) continue;
        const key = `${subset}\u0000${name}`;
        claim(subset, { entry, name: taken.has(key) ? entry : name });
        taken.add(key);
      }
      const found = [...matches].flatMap(([key, match]) =>
        match ? [[key, match.subset, match.frame.name] as const] : [],
      );
      return {
        subsets: [...subsets].map(([name, frames]) => ({ name, frames: [...frames.values()] })),
        labels: labels.result(),
        matches: found,
        missing: { count: missing.size, names: [...missing].slice(0, maxNamed) },
        notes: notes.sentences(),
      };
    },
  };
}

/** Importers that look past a folder around the data set name masks from inside it. */
function isMaskOf(masks: ReadonlySet<string>, entry: string): boolean {
  for (let path = entry; ; path = path.slice(path.indexOf('/') + 1)) {
    if (masks.has(path)) return true;
    if (!path.includes('/')) return false;
  }
}

/** Images of one subset that the annotations call alike have the names of their files. */
function giveOwnNames(frames: readonly SurveyedFrame[]): void {
  for (const alike of Map.groupBy(frames, ({ name }) => name).values())
    if (alike.length > 1) for (const frame of alike) frame.name = frame.entry;
}

/**
 * The image's name in its subset. Many programs name images from the top of the data set, subset and all; an image whose
 * name begins with a folder of its own that is called as the subset lies in that of the subset besides.
 */
function withoutSubset(stated: string, subset: string, entry: string): string {
  const path = stated.replaceAll('\\', '/');
  const lead = entry.endsWith(`/${path}`) ? entry.slice(0, -path.length - 1).split('/') : [];
  const prefix = [`${subset}/`, `images/${subset}/`].find((one) => path.startsWith(one));
  return prefix === undefined || lead.includes(subset) ? stated : path.slice(prefix.length);
}

/** Whether an image's path ends with the name that is stated for it. */
function isEndOf(stated: string, entry: string): boolean {
  const [name, path] = [stated.replaceAll('\\', '/').replace(/^(?:\.?\/)+/, ''), entry].map((one) =>
    withoutExtension(one).normalize('NFC'),
  );
  return path === name || `${path}`.endsWith(`/${name}`);
}

/** The name as the annotations have it, with the extension that the file has. */
function nameFor(stated: string, entry: string): string {
  const name = safeRelativeName(stated);
  const extension = /\.[A-Za-z0-9]{1,5}$/.exec(entry)?.[0] ?? '';
  const own = /\.[A-Za-z0-9]{1,5}$/.exec(name)?.[0];
  return own?.toLowerCase() === extension.toLowerCase()
    ? name
    : `${own === undefined ? name : name.slice(0, -own.length)}${extension}`;
}

const frameInfo = (frame: number, name: string, subset: string): FrameInfo => ({
  frame,
  name,
  width: 1,
  height: 1,
  subset,
  task_id: 0,
});

const withoutMedia = "Can't import media data from the annotation file. Please upload full dataset as a zip archive.";

/** Finds out what tasks and labels a dataset archive makes. Writes nothing. */
export function surveyDataset(job: DatasetFile, run: JobRun): Promise<DatasetSurvey> {
  const { file } = job;
  return withSource(file, async (source) => {
    if (source.kind === 'file') throw new AppError('invalid', withoutMedia, [withoutMedia]);
    const images = createArchiveImages(source);
    const survey = createSurveyView(images);
    const report = createFormatReport();
    const chosen = applyDatasetChoices(job, survey.view, report);
    const counter = createLabelCounter(chosen.task_data);
    await runImporter(job, { ...chosen, task_data: counter.view, report }, run);
    const result = { ...survey.result(), counts: counter.result() };
    if (result.subsets.length > 0) return result;
    throw new AppError(
      'invalid',
      images.count === 0
        ? `${file.name} holds no images, and a project takes whole datasets. Put the images into the archive, or import the annotations into a task that has them. Nothing was changed.`
        : `None of the ${images.count} pictures in ${file.name} is one that its annotations speak of. Nothing was changed; check the format.`,
    );
  });
}

/** Counts the objects of a file by the names that it has for their labels, whatever becomes of them. */
function createLabelCounter(task_data: TaskData) {
  const counts = new Map<string, { count: number; readonly types: Set<string> }>();
  const count = (label: string, type: string): void => {
    const known = counts.get(label) ?? { count: 0, types: new Set<string>() };
    counts.set(label, known);
    known.count += 1;
    known.types.add(type);
  };
  return {
    view: withOverrides(task_data, {
      add_tag(tag) {
        count(tag.label, 'tag');
        task_data.add_tag(tag);
      },
      add_shape(shape) {
        count(shape.label, shape.type);
        task_data.add_shape(shape);
      },
      add_track(track) {
        count(track.label, 'track');
        task_data.add_track(track);
      },
    }),
    result: () =>
      [...counts].map(([name, { count: number, types }]) => ({ name, count: number, types: [...types].toSorted() })),
  };
}
