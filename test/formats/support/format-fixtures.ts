import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import {
  createInMemoryTaskData,
  type InMemoryTaskData,
  type InMemoryTaskDataOptions,
} from '../../../main/formats/kit/in-memory-task-data.ts';
import { withSource } from '../../../main/formats/io/open-source.ts';
import { createZipWriter } from '../../../main/formats/io/zip-writer.ts';
import { type LabelMapping, withLabelMapping } from '../../../main/formats/kit/label-mapping.ts';
import type { RegisteredExporter, RegisteredImporter } from '../../../main/formats/kit/plugin.ts';
import { createFormatReport, type FormatSummary } from '../../../main/formats/kit/report.ts';
import type { LabeledShape, TaskData } from '../../../main/formats/kit/task-data.ts';

/** Small data sets that other programs wrote of a made-up scene; `make_formats.py` beside them says how. */
export const formatFixtures = resolve(import.meta.dirname, '../../fixtures/formats');

/** A folder that is removed when the test ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'limner-formats-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

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

/** An archive's entries as text, in order. */
export async function readArchive(path: string): Promise<Map<string, string>> {
  return withSource({ path, name: basename(path) }, async (source) => {
    const entries = new Map<string, string>();
    for (const entry of source.entries) entries.set(entry.path, (await source.read(entry.path)).toString('utf8'));
    return entries;
  });
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
  await importer.run({ path, name: basename(path) }, seen, {
    report,
    signal,
    progress: () => undefined,
    conv_mask_to_poly: true,
    ...options,
  });
  return { task, summary: report.summary() };
}

export interface ExportResult {
  readonly path: string;
  readonly entries: ReadonlyMap<string, string>;
  readonly summary: FormatSummary;
}

export async function runExport(
  exporter: RegisteredExporter,
  task: TaskData,
  save_images = false,
  options: Readonly<Record<string, unknown>> = {},
): Promise<ExportResult> {
  const report = createFormatReport();
  const path = join(temporaryFolder(), 'export.zip');
  const { signal } = new AbortController();
  await exporter.run({ path }, task, { report, signal, progress: () => undefined, ...options, save_images });
  return { path, entries: await readArchive(path), summary: report.summary() };
}

/** A plain shape with everything that a test does not care about. */
export function shapeOf(shape: Partial<LabeledShape> & Pick<LabeledShape, 'type' | 'label' | 'points'>): LabeledShape {
  return { frame: 0, occluded: false, attributes: [], group: 0, z_order: 0, ...shape };
}

/** The two ways of a format, on the task that a suite mostly reads into, with what it mostly asks of the importer. */
export function bothWays(
  { exporter, importer }: { readonly exporter: RegisteredExporter; readonly importer: RegisteredImporter },
  usual: InMemoryTaskDataOptions,
  asked: Readonly<Record<string, unknown>> = {},
) {
  const write = (options: InMemoryTaskDataOptions, save_images = false, more: Readonly<Record<string, unknown>> = {}) =>
    runExport(exporter, createInMemoryTaskData(options), save_images, more);
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
