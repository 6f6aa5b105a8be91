import { AppError } from '../../platform/errors.ts';
import { isSystemFile, type Source } from '../io/source.ts';
import { readXml } from '../io/xml-reader.ts';
import type { DatasetReader } from '../kit/define-format.ts';
import { readCvatMeta } from './read-labels.ts';
import { createCvatReader } from './reader.ts';
import type { ImageMatching } from './read-image.ts';

/** Passes a stream on. `onChunk` is called when a chunk has been worked off; it may wait, or stop the reading. */
async function* watched(
  input: AsyncIterable<Buffer>,
  onChunk: (sizeBytes: number) => Promise<void> | undefined,
): AsyncGenerator<Buffer> {
  for await (const chunk of input) {
    yield chunk;
    await onChunk(chunk.length);
  }
}

function xmlEntries(source: Source): { readonly path: string; readonly sizeBytes: number }[] {
  if (source.kind === 'file') return [...source.entries];
  return source.entries.filter(({ path }) => /\.xml$/i.test(path) && !isSystemFile(path));
}

/**
 * Imports CVAT XML 1.1: a bare XML file, or every annotation XML of an archive or folder at any depth. Images find
 * their frames by name; only when none of a file's names is in the task, the file is read again and its images find
 * their frames by number.
 */
export const importCvat: DatasetReader = async (source, task_data, options) => {
  const { report, signal, progress } = options;
  const entries = xmlEntries(source);
  const totalBytes = entries.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  let doneBytes = 0;
  let files = 0;

  const readEntry = async (path: string, matching: ImageMatching) => {
    const reader = createCvatReader({ file: path, task_data, report, matching });
    const onChunk = (sizeBytes: number): Promise<void> | undefined => {
      signal.throwIfAborted();
      if (matching === 'by-name') doneBytes += sizeBytes;
      progress(Math.min(1, doneBytes / Math.max(1, totalBytes)));
      return task_data.backpressure?.();
    };
    try {
      await readXml(watched(source.stream(path), onChunk), reader);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (reader.rootName === 'annotations')
        throw new AppError('invalid', `${path}: ${error.message} Nothing was imported.`, undefined, { cause: error });
      report.warn(`${path} was left out: ${error.message}`);
    }
    return reader;
  };

  if (task_data.declare_label) {
    for (const { path } of entries) {
      // A file that cannot be read is reported when its annotations are.
      const meta = await readCvatMeta(source.stream(path)).catch(() => undefined);
      for (const label of meta?.labels ?? []) task_data.declare_label(label);
      for (const subset of meta?.subsets ?? []) task_data.declare_subset?.(subset);
    }
  }
  for (const { path } of entries) {
    const reader = await readEntry(path, 'by-name');
    if (reader.rootName !== 'annotations') {
      if (reader.rootName !== undefined)
        report.warn(
          `${path} was left out: it is not a CVAT file, its root element is <${reader.rootName.slice(0, 100)}>.`,
        );
      continue;
    }
    files += 1;
    if (reader.matchedImages > 0 || reader.unmatchedImages === 0) {
      reader.finish();
      continue;
    }
    const again = await readEntry(path, 'by-number');
    if (again.matchedImages > 0) {
      report.warn(`${path}: none of its image names is in the task, so its annotations were placed by frame number.`);
    }
    again.finish();
  }
  if (files === 0) {
    throw new AppError(
      'invalid',
      `${source.name} holds no CVAT annotations: there is no XML file whose root element is <annotations>. Nothing was imported.`,
    );
  }
};
