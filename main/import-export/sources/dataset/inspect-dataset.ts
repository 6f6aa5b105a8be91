import type { LabelWrite } from '../../../../preload/contract/schema/labels.ts';
import { withSource } from '../../../formats/io/open-source.ts';
import { withEncoding } from '../../../formats/io/text-encoding.ts';
import { createFormatReport } from '../../../formats/kit/report.ts';
import { withoutExtension } from '../../../formats/kit/dataset-items.ts';
import { createMatchNotes } from '../../../formats/kit/match-notes.ts';
import { ambiguous } from '../../../formats/kit/path-finder.ts';
import type { FrameInfo, FrameMatch } from '../../../formats/kit/task-data.ts';
import { safeRelativeName } from '../../../media/safe-path.ts';
import { AppError } from '../../../platform/errors.ts';
import type { JobRun } from '../../../platform/worker-job.ts';
import { createLabelCollector } from '../../import/label-collector.ts';
import { createLabelCounter, type LabelCount } from '../../import/label-counter.ts';
import { runImporter } from '../../import/run-importer.ts';
import { createEmptyView, defaultSubset } from '../../annotation-reader/empty-view.ts';
import { type ArchiveImages, createArchiveImages } from './archive-images.ts';
import { applyDatasetChoices, type DatasetFile } from './dataset-choices.ts';

/** An image of the dataset, which becomes a frame of its subset's task. */
export interface InspectedFrame {
  readonly entry: string;
  name: string;
}

interface InspectedSubset {
  readonly name: string;
  readonly frames: readonly InspectedFrame[];
}

/** Contents of an archive, needed to create tasks. */
export interface DatasetInspection {
  /** Number of objects by label in the file. */
  readonly counts: readonly LabelCount[];
  readonly subsets: readonly InspectedSubset[];
  readonly labels: readonly LabelWrite[];
  /** Frame of each name in the annotations: `[key, subset, name in the task]`; see {@link matchKey}. */
  readonly matches: readonly (readonly [key: string, subset: string, name: string])[];
  /** Images that the annotations name but the archive lacks. */
  readonly missing: { readonly count: number; readonly names: readonly string[] };
  /** Messages about names that match several images. */
  readonly notes: readonly string[];
}

export function matchKey({ subset = '', name = '', near = '' }: FrameMatch): string {
  return `${subset}\u0000${near.slice(0, Math.max(0, near.lastIndexOf('/')))}\u0000${name}`;
}

const maxNamed = 5;

/**
 * A task with every label and every image of the archive. An importer that runs on it reveals the images of each
 * subset, their names, and the labels and attributes in use, whatever its format.
 */
export function createInspectionView(images: ArchiveImages) {
  const subsets = new Map<string, Map<string, InspectedFrame>>();
  const matches = new Map<string, { subset: string; frame: InspectedFrame; number: number } | null>();
  const numbers: FrameInfo[] = [];
  /** Names that match no image so far; another name of the same image may still match. */
  const missing = new Set<string>();
  let lastMissing: string | undefined;
  const notes = createMatchNotes();
  const labels = createLabelCollector();
  /** Includes images without annotations. */
  const named = new Set<string>();
  const masks = new Set<string>();

  function claim(subset: string, frame: InspectedFrame): void {
    const frames = subsets.get(subset) ?? new Map<string, InspectedFrame>();
    subsets.set(subset, frames);
    if (!frames.has(frame.entry)) frames.set(frame.entry, frame);
  }

  /** Subset stated by the file, or else by the image's folder. */
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
      // A file that numbers its frames refers to the order of the images, which is not known yet.
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
    result(): Omit<DatasetInspection, 'counts'> {
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

/** Importers that skip a top folder name masks relative to it. */
function isMaskOf(masks: ReadonlySet<string>, entry: string): boolean {
  for (let path = entry; ; path = path.slice(path.indexOf('/') + 1)) {
    if (masks.has(path)) return true;
    if (!path.includes('/')) return false;
  }
}

/** Uses the paths of images of one subset to which the annotations give the same name. */
function giveOwnNames(frames: readonly InspectedFrame[]): void {
  for (const alike of Map.groupBy(frames, ({ name }) => name).values())
    if (alike.length > 1) for (const frame of alike) frame.name = frame.entry;
}

/**
 * Removes the subset from a name, because many programs name images relative to the dataset, including the subset. Kept
 * if the image is in a folder of that name within the folder of the subset.
 */
function withoutSubset(stated: string, subset: string, entry: string): string {
  const path = stated.replaceAll('\\', '/');
  const lead = entry.endsWith(`/${path}`) ? entry.slice(0, -path.length - 1).split('/') : [];
  const prefix = [`${subset}/`, `images/${subset}/`].find((one) => path.startsWith(one));
  return prefix === undefined || lead.includes(subset) ? stated : path.slice(prefix.length);
}

/** True if an image's path ends with its stated name. */
function isEndOf(stated: string, entry: string): boolean {
  const [name, path] = [stated.replaceAll('\\', '/').replace(/^(?:\.?\/)+/, ''), entry].map((one) =>
    withoutExtension(one).normalize('NFC'),
  );
  return path === name || `${path}`.endsWith(`/${name}`);
}

/** The name in the annotations with the extension of the file. */
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

/** Determines the tasks and labels that a dataset archive creates. Writes nothing. */
export function inspectDataset(job: DatasetFile, run: JobRun): Promise<DatasetInspection> {
  const { file } = job;
  return withSource(withEncoding(file, job.options ?? {}), async (source) => {
    if (source.kind === 'file') throw new AppError('invalid', withoutMedia, [withoutMedia]);
    const images = createArchiveImages(source);
    const survey = createInspectionView(images);
    const report = createFormatReport();
    const chosen = applyDatasetChoices(job, survey.view, report);
    const counter = createLabelCounter();
    await runImporter(job, { ...chosen, task_data: counter.over(chosen.task_data), report }, run);
    const result = { ...survey.result(), counts: counter.result() };
    if (result.subsets.length > 0) return result;
    throw new AppError(
      'invalid',
      images.count === 0
        ? `${file.name} has no images, but a project needs complete datasets. Put the images into the archive, or import the annotations into a task that has them. Nothing was changed.`
        : `None of the ${images.count} images in ${file.name} is named by its annotations. Nothing was changed; check the format.`,
    );
  });
}
