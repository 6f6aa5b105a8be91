import { AppError } from '../../platform/errors.ts';
import { isSystemFile, type Source } from '../io/source.ts';
import { readXml } from '../io/xml-reader.ts';
import {
  carries,
  datasetExporter,
  datasetImporter,
  type DatasetReader,
  everyKind,
  everyShape,
} from '../kit/define-format.ts';
import { pathsToLookAt, readHead } from '../kit/detection.ts';
import type { Detection } from '../kit/plugin.ts';
import { exportCvatForImages, exportCvatForVideo } from './export.ts';
import type { ImageMatching } from './read-image.ts';
import { readCvatMeta } from './read-labels.ts';
import { subsetOfFileName } from '../kit/usual-subsets.ts';
import { createCvatReader } from './reader.ts';

const maxFiles = 20;

/** Name of the root element, after declarations, comments and a document type; undefined if there is none. */
function rootElement(head: string): string | undefined {
  let at = 0;
  for (;;) {
    while (at < head.length && head.charCodeAt(at) <= 32) at += 1;
    if (head[at] !== '<') return undefined;
    const end = head.startsWith('<!--', at)
      ? '-->'
      : head.startsWith('<?', at)
        ? '?>'
        : head.startsWith('<!', at)
          ? '>'
          : undefined;
    if (end === undefined) return /^<([\w:.-]+)/.exec(head.slice(at, at + 200))?.[1];
    // A document type may have an internal subset in brackets with further declarations.
    const bracket = head.startsWith('<!DOCTYPE', at) ? head.slice(at, at + 1000).search(/[[>]/) : -1;
    const from = bracket >= 0 && head[at + bracket] === '[' ? head.indexOf(']', at + bracket) : at;
    const close = from < 0 ? -1 : head.indexOf(end, from);
    if (close < 0) return undefined;
    at = close + end.length;
  }
}

function detectionOf(path: string, head: string): Detection | null {
  if (rootElement(head) !== 'annotations') return null;
  const known = /<(?:version|meta|image|track)[\s>]/.test(head);
  const reason = known
    ? `${path} is XML with the root element <annotations> and the parts of a CVAT file.`
    : `${path} is XML with the root element <annotations>.`;
  return { reason, confidence: known ? 1 : 0.7 };
}

/** Detects an XML file, alone or in an archive, whose root element is `annotations`. */
async function detectCvat(source: Source): Promise<Detection | null> {
  for (const path of pathsToLookAt(source, /\.xml$/i).slice(0, maxFiles)) {
    const found = detectionOf(path, await readHead(source, path, 64 * 1024));
    if (found) return found;
  }
  return null;
}

/** Passes a stream on. `onChunk` is called after each chunk; it may wait, or throw to stop reading. */
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
 * Imports CVAT XML 1.1: an XML file, or every annotation XML of an archive or folder at any depth. Images are matched
 * to frames by name. Only if no name of a file is in the task is the file read again and matched by number.
 */
const importCvat: DatasetReader = async (source, task_data, options) => {
  const { report, signal, progress } = options;
  const entries = xmlEntries(source);
  const totalBytes = entries.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  let doneBytes = 0;
  let files = 0;

  const subsets = new Map<string, string | undefined>();
  const readEntry = async (path: string, matching: ImageMatching) => {
    const reader = createCvatReader({ file: path, task_data, report, matching, subset: subsets.get(path) });
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

  for (const { path } of entries) {
    // Unreadable files are reported when their annotations are read.
    const meta = await readCvatMeta(source.stream(path)).catch(() => undefined);
    for (const label of meta?.labels ?? []) task_data.declare_label?.(label);
    for (const subset of meta?.subsets ?? []) task_data.declare_subset?.(subset);
    // Images of a task export have no subset attribute.
    const [only, ...others] = meta?.subsets ?? [];
    subsets.set(path, others.length === 0 ? (only ?? subsetOfFileName(path)) : undefined);
  }
  for (const { path } of entries) {
    const reader = await readEntry(path, 'by-name');
    if (reader.rootName !== 'annotations') {
      if (reader.rootName !== undefined)
        report.warn(
          `${path} was left out: it is not a CVAT file, because its root element is <${reader.rootName.slice(0, 100)}>.`,
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
      `${source.name} has no CVAT annotations: it has no XML file whose root element is <annotations>. Nothing was imported.`,
    );
  }
};

export const cvatImporter = datasetImporter({
  name: 'CVAT',
  version: '1.1',
  ext: 'XML, ZIP',
  support: carries({ import: everyKind }),
  detect: detectCvat,
})(importCvat);

export const cvatImagesExporter = datasetExporter({
  name: 'CVAT for images',
  version: '1.1',
  ext: 'ZIP',
  support: carries({ export: [...everyShape, 'tag', 'attribute'], converted: ['track'] }),
})(exportCvatForImages);

export const cvatVideoExporter = datasetExporter({
  name: 'CVAT for video',
  writesUnseenTracks: true,
  isSequence: true,
  version: '1.1',
  ext: 'ZIP',
  support: carries({ export: [...everyShape, 'track', 'attribute'] }),
})(exportCvatForVideo);
