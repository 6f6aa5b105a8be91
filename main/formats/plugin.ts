import type { ShapeType } from '../../preload/contract/schema/annotations.ts';
import type { FormatReport } from './report.ts';
import type { TaskData } from './task-data.ts';

/** A file to import from: a single file, an archive, or a folder. `io/source.ts` opens it as a tree of entries. */
export interface SourceFile {
  readonly path: string;
  /** The name that the person knows: decides by its extension only where the content does not. */
  readonly name: string;
}

/** A file to export to. The caller gives a temporary path and moves the file into place when the exporter is done. */
export interface DestinationFile {
  readonly path: string;
}

/** What every importer and exporter is given beside its own options. */
export interface FormatRun {
  readonly report: FormatReport;
  readonly signal: AbortSignal;
  /** Reports progress, 0..1. Cheap: call it as often as convenient. */
  readonly progress: (fraction: number) => void;
}

export interface ImportOptions extends FormatRun {
  /** Masks become polygons on import, except in formats that keep masks (COCO, Datumaro, CVAT). */
  readonly conv_mask_to_poly: boolean;
  readonly [option: string]: unknown;
}

export interface ExportOptions extends FormatRun {
  /** A dataset with its images, or annotations only. */
  readonly save_images: boolean;
  readonly [option: string]: unknown;
}

export type Importer = (file_object: SourceFile, task_data: TaskData, options: ImportOptions) => Promise<void>;
export type Exporter = (file_object: DestinationFile, task_data: TaskData, options: ExportOptions) => Promise<void>;

/** Kinds of objects that a format may carry. A rectangle with a rotation counts apart from a straight one. */
export type ObjectKind = ShapeType | 'rotated rectangle' | 'tag' | 'track' | 'attribute';

/**
 * What becomes of one kind of object: `both` is written and read back as that kind, `export` and `import` are one of
 * the two, `converted` is written as another kind (which the report says), `partial` means that only what the format
 * has a field for is kept. A kind that is not named is left out, and reported.
 */
export type ObjectSupport = 'both' | 'export' | 'import' | 'converted' | 'partial';
export type SupportTable = Readonly<Partial<Record<ObjectKind, ObjectSupport>>>;

/** The decorator's parameters, named as the specification names them. */
export interface FormatParameters {
  readonly name: string;
  readonly version: string;
  /** File extension; for an importer a comma-separated list, for example `JSON, ZIP`. */
  readonly ext: string;
  /** Visible name; without it name, version and extension are combined. */
  readonly display_name?: string;
  readonly dimension?: '2d' | '3d' | '1d';
  readonly enabled?: boolean;
  /** What the format carries, as data: for lists of formats, and held to what the plug-in does by a test. */
  readonly support?: SupportTable;
}

export interface FormatDescription {
  readonly name: string;
  readonly version: string;
  readonly ext: string;
  readonly display_name: string;
  readonly dimension: '2d' | '3d' | '1d';
  readonly enabled: boolean;
  readonly support?: SupportTable;
}

export interface RegisteredImporter extends FormatDescription {
  readonly kind: 'importer';
  readonly run: Importer;
}
export interface RegisteredExporter extends FormatDescription {
  readonly kind: 'exporter';
  readonly run: Exporter;
}

interface ClassOf<Run extends (...args: never[]) => Promise<void>> {
  new (...args: Parameters<Run>): { run: () => Promise<void> };
}

function describe(parameters: FormatParameters): FormatDescription {
  const { name, version, ext } = parameters;
  return {
    name,
    version,
    ext,
    display_name: parameters.display_name ?? `${name} ${version} ${ext}`,
    dimension: parameters.dimension ?? '2d',
    enabled: parameters.enabled ?? true,
    ...(parameters.support ? { support: parameters.support } : {}),
  };
}

function isClass(target: unknown): boolean {
  return typeof target === 'function' && /^class\b/.test(Function.prototype.toString.call(target));
}

function callable<Run extends (...args: never[]) => Promise<void>>(target: Run | ClassOf<Run>): Run {
  if (!isClass(target)) return target as Run;
  const Class = target as ClassOf<Run>;
  return ((...args: Parameters<Run>) => new Class(...args).run()) as unknown as Run;
}

/**
 * Registers an importer: `importer({ name, version, ext })(importCoco)`. The target is a function
 * `(file_object, task_data, options)`, or a class with that constructor and a method `run()`.
 */
export const importer =
  (parameters: FormatParameters) =>
  (target: Importer | ClassOf<Importer>): RegisteredImporter => ({
    ...describe(parameters),
    kind: 'importer',
    run: callable(target),
  });

/** Registers an exporter; see {@link importer}. */
export const exporter =
  (parameters: FormatParameters) =>
  (target: Exporter | ClassOf<Exporter>): RegisteredExporter => ({
    ...describe(parameters),
    kind: 'exporter',
    run: callable(target),
  });
