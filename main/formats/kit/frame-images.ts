import { AppError } from '../../platform/errors.ts';
import { createZipWriter, type ZipWriter } from '../io/zip-writer.ts';
import type { ExportOptions } from './plugin.ts';
import type { FrameImage, FrameInfo, TaskData } from './task-data.ts';

/** Writes an archive to `path`. After an error, the incomplete file is deleted. */
export async function writeArchive(path: string, write: (zip: ZipWriter) => Promise<void>): Promise<void> {
  const zip = await createZipWriter(path);
  try {
    await write(zip);
    await zip.finish();
  } catch (error) {
    await zip.abort();
    throw error;
  }
}

/** Below this size, deflating costs more than it saves. */
const storedBytes = 512;

/** Adds a text, compressed if that pays off. */
export const addText = (zip: ZipWriter, path: string, text: string): Promise<void> =>
  zip.add(path, text, { store: text.length < storedBytes });

/** Name of a frame in a dataset. Video frames have no extension and get `.PNG`, as in CVAT. */
export function imageName(task_data: TaskData, frame: FrameInfo): string {
  const { meta } = task_data;
  const task = meta.tasks.find(({ id }) => id === frame.task_id) ?? meta;
  return task.mode === 'interpolation' && !/\.(?:png|jpg)$/i.test(frame.name) ? `${frame.name}.PNG` : frame.name;
}

const maxNamed = 5;

/** Counts names and stores the first few. */
function createNameList() {
  const names: string[] = [];
  let count = 0;
  return {
    get count() {
      return count;
    },
    add(name: string): void {
      count += 1;
      if (names.length < maxNamed) names.push(name);
    },
    text: () => `${names.join(', ')}${count > maxNamed ? ', …' : ''}`,
  };
}

export function createImageAdder(zip: ZipWriter, task_data: TaskData, { report }: Pick<ExportOptions, 'report'>) {
  const written = new Set<string>();
  const missing = createNameList();
  const replaced = createNameList();

  const write = async (path: string, image: FrameImage): Promise<void> => {
    if (image.path !== undefined) await zip.addFile(path, image.path);
    else await zip.add(path, image.bytes ?? new Uint8Array(), { store: true });
  };

  return {
    /**
     * Adds a frame's image under each path; returns false if it cannot be read. Paths of other images are skipped. Both
     * are reported.
     */
    async add(frame: FrameInfo, paths: readonly string[]): Promise<boolean> {
      const free = paths.filter((path) => !written.has(path));
      for (const path of paths) {
        if (written.has(path))
          report.warn(
            `Two frames have the image name ${path}: the archive has only the first. To export both, rename one.`,
          );
      }
      if (free.length === 0) return true;
      const image = await task_data.frame_image(frame);
      if (!image) {
        missing.add(frame.name);
        return false;
      }
      if (image.isReplaced === true) replaced.add(frame.name);
      for (const path of free) {
        written.add(path);
        await write(path, image).catch((cause: unknown) => {
          if (cause instanceof AppError) throw cause;
          throw new AppError(
            'internal',
            `The image ${frame.name} could not be copied into the archive. Nothing was exported.`,
            undefined,
            { cause },
          );
        });
      }
      return true;
    },
    finish(): void {
      if (missing.count > 0) {
        report.warn(`${missing.count} images could not be read and are not in the archive: ${missing.text()}.`);
      }
      if (replaced.count > 0) {
        report.warn(
          `${replaced.count} images are not the ones that were annotated, because their files were replaced: ${replaced.text()}. ` +
            'The archive has the current files.',
        );
      }
    },
  };
}

/** Adds the images of all frames under the names from `pathOf`; null skips a frame, which the caller has reported. */
export async function addFrameImages(
  zip: ZipWriter,
  task_data: TaskData,
  options: ExportOptions,
  pathOf: (frame: FrameInfo) => string | null,
  onProgress: (fraction: number) => void,
): Promise<void> {
  const images = createImageAdder(zip, task_data, options);
  let done = 0;
  for (const frame of task_data.frames) {
    options.signal.throwIfAborted();
    done += 1;
    onProgress(done / Math.max(1, task_data.frame_count));
    const path = pathOf(frame);
    if (path !== null) await images.add(frame, [path]);
  }
  images.finish();
}
