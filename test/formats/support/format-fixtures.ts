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

/** Small datasets of a synthetic scene, written by other programs; see `make_formats.py` beside them. */
export const formatFixtures = resolve(import.meta.dirname, '../../fixtures/formats');

export type Files = Readonly<Record<string, Uint8Array | string>>;

export function folderOf(files: Files): string {
  const folder = temporaryFolder();
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

/** The same dataset in an extra folder, with a byte order mark and CRLF in its texts. */
export function inExtraFolder(files: Readonly<Record<string, string>>): Files {
  const entries = Object.entries(files);
  return Object.fromEntries(
    entries.map(([path, text]) => [`top/${path}`, text === '' ? '' : `\uFEFF${text.replaceAll('\n', '\r\n')}`]),
  );
}

export function fileOf(name: string, content: Uint8Array | string): string {
  return join(folderOf({ [name]: content }), name);
}

export async function zipOf(files: Files): Promise<string> {
  const path = join(temporaryFolder(), 'dataset.zip');
  const zip = await createZipWriter(path);
  for (const [name, content] of Object.entries(files)) await zip.add(name, content);
  await zip.finish();
  return path;
}

export async function entriesOf(path: string): Promise<Map<string, Buffer>> {
  return withSource({ path, name: basename(path) }, async (source) => {
    const entries = new Map<string, Buffer>();
    for (const entry of source.entries) entries.set(entry.path, await source.read(entry.path));
    return entries;
  });
}

export async function readArchive(path: string): Promise<Map<string, string>> {
  return new Map([...(await entriesOf(path))].map(([name, bytes]) => [name, bytes.toString('utf8')]));
}

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
  /** Options of the format, as given by the dialog or the command line. */
  readonly options?: Readonly<Record<string, unknown>>;
}

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

export const exportToZip = (...given: Exported): Promise<ExportResult> =>
  exportTo(join(temporaryFolder(), 'export.zip'), ...given);

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

export const formatOf = (name: string) => ({ importer: importerOf(name), exporter: exporterOf(name) });

/** A shape with defaults for all other fields. */
export function shapeOf(shape: Partial<LabeledShape> & Pick<LabeledShape, 'type' | 'label' | 'points'>): LabeledShape {
  return { frame: 0, occluded: false, attributes: [], group: 0, z_order: 0, ...shape };
}

/** A keyframe with defaults for all other fields. */
export function keyframeOf(shape: Partial<TrackedShape> & Pick<TrackedShape, 'type' | 'points'>): TrackedShape {
  return { frame: 0, outside: false, occluded: false, keyframe: true, attributes: [], z_order: 0, ...shape };
}

/** Importer and exporter of a format, with the default task and options of a suite. */
export function bothWays(
  { exporter, importer }: { readonly exporter: RegisteredExporter; readonly importer: RegisteredImporter },
  usual: InMemoryTaskDataOptions,
  requested: Readonly<Record<string, unknown>> = {},
) {
  const write = (options: InMemoryTaskDataOptions, save_images = false, more: Readonly<Record<string, unknown>> = {}) =>
    runExport(exporter, options, save_images, more);
  const read = (path: string, options = usual, more: Readonly<Record<string, unknown>> = {}) =>
    runImport(importer, path, options, { options: { ...requested, ...more } });
  return {
    write,
    read,
    async thereAndBack(written: InMemoryTaskDataOptions, into = usual) {
      const { path, entries, summary } = await write(written);
      expect(summary).toMatchObject({ dropped: [], warnings: [] });
      const { task, summary: reading } = await read(path, into);
      expect(reading).toMatchObject({ invalidCount: 0, dropped: [], warnings: [] });
      return { path, entries, summary, task, reading };
    },
  };
}
