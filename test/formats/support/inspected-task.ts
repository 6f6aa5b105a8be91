import { basename } from 'node:path';
import type { LabelWrite } from '../../../preload/contract/schema/labels.ts';
import { createArchiveImages } from '../../../main/import-export/sources/dataset/archive-images.ts';
import { createInspectionView, matchKey } from '../../../main/import-export/sources/dataset/inspect-dataset.ts';
import {
  createInMemoryTaskData,
  type InMemoryTaskData,
  type InMemoryTaskDataOptions,
} from '../../../main/formats/kit/in-memory-task-data.ts';
import { withSource } from '../../../main/formats/io/open-source.ts';
import type { FixtureSet } from './fixture-sets.ts';
import type { RegisteredImporter } from '../../../main/formats/kit/plugin.ts';
import { probeImage } from '../../../main/media/probe.ts';
import { type FormatReport } from '../../../main/formats/kit/report.ts';
import type { FrameMatch, LabelInfo, TaskData } from '../../../main/formats/kit/task-data.ts';
import { fileOf, importInto } from './format-fixtures.ts';

/** Frames, labels and image names of a dataset, as found by the import of a complete dataset. */
export interface InspectedTask {
  readonly options: InMemoryTaskDataOptions;
  /** A task, empty or with objects, that matches names to frames like the inspection did. */
  create(report: FormatReport, objects?: Partial<InMemoryTaskDataOptions>): InMemoryTaskData;
}

function labelInfo({ name, color, type, attributes, sublabels, svg }: LabelWrite): LabelInfo {
  return {
    name: name ?? '',
    color: color ?? '#102030',
    type: type ?? 'any',
    attributes: (attributes ?? []).map((attribute) => ({
      name: attribute.name,
      mutable: attribute.mutable ?? false,
      input_type: attribute.input_type ?? 'text',
      default_value: attribute.default_value ?? '',
      values: attribute.values ?? [],
    })),
    sublabels: (sublabels ?? []).map(labelInfo),
    ...(typeof svg === 'string' ? { svg } : {}),
  };
}

const unknownSize = { width: 640, height: 480 };

/** Runs the importer once over a task that has every label and image of the folder, and creates such a task. */
export async function inspectFolder(
  importer: RegisteredImporter,
  path: string,
  { video, pictures = [] }: Pick<FixtureSet, 'video' | 'pictures'> = {},
): Promise<InspectedTask> {
  const { survey, sizes } = await withSource({ path, name: basename(path) }, async (source) => {
    const data = createInspectionView(createArchiveImages(source));
    await importInto(importer, path, data.view);
    const found = data.result();
    const images = found.subsets.flatMap((subset) =>
      subset.frames.map(async ({ entry, name }) => {
        // Images in tables are no files.
        const file = (await source.localPath(entry))?.path ?? fileOf(basename(entry), await source.read(entry));
        const { width, height } = await probeImage(file);
        return { name, subset: subset.name, width, height };
      }),
    );
    return { survey: found, sizes: await Promise.all(images) };
  });
  const stated = new Set(pictures.map(({ name }) => name));
  const absent = [
    ...pictures.map((picture) => ({ ...picture, subset: 'default' })),
    ...survey.missing.names
      .filter((name) => !stated.has(name))
      .map((name) => ({ name, subset: 'default', ...unknownSize })),
  ];
  const ofVideo = Array.from({ length: video?.frames ?? 0 }, (_, index) => ({
    name: `frame_${String((video?.start ?? 0) + index * (video?.step ?? 1)).padStart(6, '0')}`,
    subset: 'default',
    ...unknownSize,
  }));
  const frames = (video ? ofVideo : [...sizes, ...absent]).map((frame, number) => ({ ...frame, frame: number }));
  const numbers = new Map(frames.map(({ frame, name, subset }) => [`${subset}\u0000${name}`, frame]));
  const matches = new Map(survey.matches.map(([key, subset, name]) => [key, numbers.get(`${subset}\u0000${name}`)]));
  const options: InMemoryTaskDataOptions = {
    frames,
    labels: survey.labels.map(labelInfo),
    ...(video
      ? {
          meta: {
            mode: 'interpolation' as const,
            start_frame: video.start,
            stop_frame: video.start + (video.frames - 1) * video.step,
            frame_step: video.step,
          },
        }
      : {}),
  };
  return {
    options,
    create(report, objects = {}) {
      const task = createInMemoryTaskData({ ...options, ...objects, report });
      const match: TaskData['match_frame'] = (item: FrameMatch) =>
        matches.get(matchKey(item)) ?? task.match_frame(item);
      return { ...task, match_frame: match };
    },
  };
}

export function statedTask(names: readonly string[]): InspectedTask {
  const frames = [1, 2].map((number) => ({ name: `photo_${number}.png`, width: 12, height: 8 }));
  const options: InMemoryTaskDataOptions = {
    frames,
    labels: names.map((name) => ({ name, color: '#102030' })),
  };
  return { options, create: (report, objects = {}) => createInMemoryTaskData({ ...options, ...objects, report }) };
}
