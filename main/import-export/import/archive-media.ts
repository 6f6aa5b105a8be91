import type { Source, SourceLimits } from '../../formats/io/source.ts';
import { openSource } from '../../formats/io/open-source.ts';
import type { SourceFile } from '../../formats/kit/plugin.ts';
import type { PreparedMedia, PrepareRequest } from '../../media/media-preparation.ts';
import { prepareTaskMedia } from '../../media/prepare.ts';
import { AppError } from '../../platform/errors.ts';
import type { JobRun } from '../../platform/worker-job.ts';
import { mediaDirectory, videoReaderFor } from '../../work/tasks/task-media.ts';

/** Path in the archive by file name in the task. */
export type WantedFiles = ReadonlyMap<string, string>;

export interface ArchiveMediaJob {
  readonly dataDirectory: string;
  readonly taskId: number;
  readonly file: SourceFile;
}

interface ArchiveMedia extends Pick<PrepareRequest, 'start_frame' | 'stop_frame' | 'frame_filter' | 'into'> {
  /** Must end in .zip, whatever the name of the uploaded file. */
  readonly name: `${string}.zip`;
  readonly wanted: (source: Source) => WantedFiles;
  /** Part of the archive that the paths of {@link wanted} are relative to; default: all of it. */
  readonly view?: (source: Source) => Source;
  /** Names in the task, in the order of the frames. */
  readonly order: readonly string[];
  /** Higher limits, for archives that Limner wrote. */
  readonly limits?: Partial<SourceLimits>;
}

/** Extracts the media of one task from an archive into the task's folder. */
export async function prepareArchiveMedia(
  { dataDirectory, taskId, file }: ArchiveMediaJob,
  { name, wanted, view = (source) => source, order, limits, ...range }: ArchiveMedia,
  { signal, progress }: JobRun,
): Promise<PreparedMedia> {
  return prepareTaskMedia(
    {
      location: { directory: mediaDirectory(dataDirectory, taskId) },
      uploads: [{ name, file: file.path }],
      sorting_method: 'predefined',
      upload_file_order: order,
      ...range,
    },
    {
      signal,
      progress: (fraction) => progress(fraction),
      ...(limits ? { videos: await videoReaderFor(dataDirectory, taskId), keepsLarge: true } : {}),
      async openSource() {
        const source = view(await openSource(file, limits));
        return archiveView(source, wanted(source));
      },
    },
  );
}

/** Wraps an archive to show only the wanted files under their new names. */
function archiveView(source: Source, wanted: WantedFiles): Source {
  const sizes = new Map(source.entries.map(({ path, sizeBytes }) => [path, sizeBytes]));
  const entryOf = (name: string): string => {
    const entry = wanted.get(name);
    if (entry === undefined) throw new AppError('invalid', `${source.name} has no file ${name}.`);
    return entry;
  };
  return {
    kind: 'zip',
    name: source.name,
    warnings: [],
    entries: [...wanted].map(([path, entry]) => ({ path, sizeBytes: sizes.get(entry) ?? 0 })),
    has: (name) => wanted.has(name),
    read: (name, maxBytes) => source.read(entryOf(name), maxBytes),
    stream: (name) => source.stream(entryOf(name)),
    localPath: (name) => source.localPath(entryOf(name)),
    close: () => source.close(),
  };
}
