import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { expect } from 'vitest';
import {
  createInMemoryTaskData,
  type InMemoryTaskData,
  type InMemoryTaskDataOptions,
} from '../../../main/formats/kit/in-memory-task-data.ts';
import { withSource } from '../../../main/formats/io/open-source.ts';
import { createZipWriter } from '../../../main/formats/io/zip-writer.ts';
import { decodeMaskImage } from '../../../main/formats/kit/mask-files/read-image.ts';
import { type LabelMapping, withLabelMapping } from '../../../main/formats/kit/label-mapping.ts';
import type { RegisteredExporter, RegisteredImporter } from '../../../main/formats/kit/plugin.ts';
import { findExporter, findImporter } from '../../../main/formats/registry.ts';
import { createFormatReport, type FormatSummary } from '../../../main/formats/kit/report.ts';
import type { LabeledShape, TaskData, TrackedShape } from '../../../main/formats/kit/task-data.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Small data sets that other programs wrote of a made-up scene; `make_formats.py` beside them says how. */
export const formatFixtures = resolve(import.meta.dirname, '../../fixtures/formats');

export type Files = Readonly<Record<string, Uint8Array | string>>;

/** Writes files below a new folder; keys are relative paths. Returns the folder. */
export function folderOf(files: Files): string {
  const folder = temporaryFolder();
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

/** The same data set in an extra folder, as other systems write texts: with a byte order mark and CRLF. */
export function inExtraFolder(files: Readonly<Record<string, string>>): Files {
  const entries = Object.entries(files);
  return Object.fromEntries(
    entries.map(([path, text]) => [`top/${path}`, text === '' ? '' : `\uFEFF${text.replaceAll('\n', '\r\n')}`]),
  );
}

/** Writes one file and returns its path. */
export function fileOf(name: string, content: Uint8Array | string): string {
  return join(folderOf({ [name]: content }), name);
}

/** Writes an archive and returns its path. */
export async function zipOf(files: Files): Promise<string> {
  const path = join(temporaryFolder(), 'dataset.zip');
  const zip = await createZipWriter(path);
  for (const [name, content] of Object.entries(files)) await zip.add(name, content);
  await zip.finish();
  return path;
}

/** An archive's entries, in order. */
export async function entriesOf(path: string): Promise<Map<string, Buffer>> {
  return withSource({ path, name: basename(path) }, async (source) => {
    const entries = new Map<string, Buffer>();
    for (const entry of source.entries) entries.set(entry.path, await source.read(entry.path));
    return entries;
  });
}

/** The same as texts. */
export async function readArchive(path: string): Promise<Map<string, string>> {
  return new Map([...(await entriesOf(path))].map(([name, bytes]) => [name, bytes.toString('utf8')]));
}

/** The numbers that the pixels of an image in an archive have, each once. */
export async function numbersIn(path: string, entry: string): Promise<number[]> {
  const image = await decodeMaskImage((await entriesOf(path)).get(entry) ?? Buffer.alloc(0));
  return [...new Set(Array.from({ length: image.width * image.height }, (_, index) => image.valueAt(index)))];
}

export interface ImportResult {
  readonly task: InMemoryTaskData;
  readonly summary: FormatSummary;
}

export interface ImportSettings {
  readonly signal?: AbortSignal;
  readonly label_mapping?: LabelMapping;
  /** Options of the format, as the dialog or the command line gives them. */
  readonly options?: Readonly<Record<string, unknown>>;
}

/** Imports a file, archive or folder into an empty task. */
export async function runImport(
  importer: RegisteredImporter,
  path: string,
  taskOptions: InMemoryTaskDataOptions,
  { signal = new AbortController().signal, label_mapping, options = {} }: ImportSettings = {},
): Promise<ImportResult> {
  const report = createFormatReport();
  const task = createInMemoryTaskData({ ...taskOptions, report });
  const seen = label_mapping ? withLabelMapping(task, label_mapping) : task;
  await importInto(importer, path, seen, { report, signal, ...options });
  return { task, summary: report.summary() };
}

/** Imports a file, archive or folder into a task, or into what looks like one. */
export async function importInto(
  importer: RegisteredImporter,
  path: string,
  task: TaskData,
  options: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  await importer.run({ path, name: basename(path) }, task, {
    report: createFormatReport(),
    signal: new AbortController().signal,
    progress: () => undefined,
    conv_mask_to_poly: true,
    ...options,
  });
}

export interface ExportResult {
  readonly path: string;
  readonly summary: FormatSummary;
}

/** Exports a task, or one that is made of these options, into a file. */
export async function exportTo(
  path: string,
  exporter: RegisteredExporter,
  given: TaskData | InMemoryTaskDataOptions,
  save_images = false,
  options: Readonly<Record<string, unknown>> = {},
): Promise<ExportResult> {
  const task = 'group_by_frame' in given ? given : createInMemoryTaskData(given);
  const report = createFormatReport();
  const { signal } = new AbortController();
  await exporter.run({ path }, task, { report, signal, progress: () => undefined, ...options, save_images });
  return { path, summary: report.summary() };
}

type Exported = Parameters<typeof exportTo> extends [string, ...infer Given] ? Given : never;

/** The same into an archive that goes at the end of the test. */
export const exportToZip = (...given: Exported): Promise<ExportResult> =>
  exportTo(join(temporaryFolder(), 'export.zip'), ...given);

/** The same, and the texts that the archive has. */
export async function runExport(...given: Exported) {
  const written = await exportToZip(...given);
  return { ...written, entries: await readArchive(written.path) };
}

export function importerOf(name: string): RegisteredImporter {
  const importer = findImporter(name);
  if (!importer) throw new Error(`${name} has no importer.`);
  return importer;
}

export function exporterOf(name: string): RegisteredExporter {
  const exporter = findExporter(name);
  if (!exporter) throw new Error(`${name} has no exporter.`);
  return exporter;
}

/** The two ways of a format that is built in. */
export const formatOf = (name: string) => ({ importer: importerOf(name), exporter: exporterOf(name) });

/** A plain shape with everything that a test does not care about. */
export function shapeOf(shape: Partial<LabeledShape> & Pick<LabeledShape, 'type' | 'label' | 'points'>): LabeledShape {
  return { frame: 0, occluded: false, attributes: [], group: 0, z_order: 0, ...shape };
}

/** A keyframe of a track, in the same way. */
export function keyframeOf(shape: Partial<TrackedShape> & Pick<TrackedShape, 'type' | 'points'>): TrackedShape {
  return { frame: 0, outside: false, occluded: false, keyframe: true, attributes: [], z_order: 0, ...shape };
}

/** The two ways of a format, on the task that a suite mostly reads into, with what it mostly asks of the importer. */
export function bothWays(
  { exporter, importer }: { readonly exporter: RegisteredExporter; readonly importer: RegisteredImporter },
  usual: InMemoryTaskDataOptions,
  asked: Readonly<Record<string, unknown>> = {},
) {
  const write = (options: InMemoryTaskDataOptions, save_images = false, more: Readonly<Record<string, unknown>> = {}) =>
    runExport(exporter, options, save_images, more);
  const read = (path: string, options = usual, more: Readonly<Record<string, unknown>> = {}) =>
    runImport(importer, path, options, { options: { ...asked, ...more } });
  return {
    write,
    read,
    /** Writes a task and reads what was written: neither way loses anything, or has anything to say. */
    async thereAndBack(written: InMemoryTaskDataOptions, into = usual) {
      const { path, entries, summary } = await write(written);
      expect(summary).toMatchObject({ losses: [], warnings: [] });
      const { task, summary: reading } = await read(path, into);
      expect(reading).toMatchObject({ badCount: 0, losses: [], warnings: [] });
      return { path, entries, summary, task, reading };
    },
  };
}
