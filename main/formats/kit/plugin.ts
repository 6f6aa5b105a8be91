import type { ShapeType } from '../../../preload/contract/schema/annotations.ts';
import type { FormatOptionField } from '../../../preload/contract/schema/formats.ts';
import type { Source, SourceFile } from '../io/source.ts';
import type { FormatReport } from './report.ts';
import type { TaskData } from './task-data.ts';

export type { SourceFile } from '../io/source.ts';

/** Target of an export. The caller provides a temporary path and moves the file when the exporter is done. */
export interface DestinationFile {
  readonly path: string;
}

/** Context of importers and exporters besides their own options. */
export interface FormatRun {
  readonly report: FormatReport;
  readonly signal: AbortSignal;
  /** Reports progress, 0..1. Cheap enough for frequent calls. */
  readonly progress: (fraction: number) => void;
}

export interface ImportOptions extends FormatRun {
  /** Converts masks to polygons on import, except in formats that keep masks (COCO, Datumaro, CVAT). */
  readonly conv_mask_to_poly: boolean;
  readonly [option: string]: unknown;
}

export interface ExportOptions extends FormatRun {
  /** True for a dataset with images, false for annotations only. */
  readonly save_images: boolean;
  readonly [option: string]: unknown;
}

export type Importer = (file_object: SourceFile, task_data: TaskData, options: ImportOptions) => Promise<void>;
export type Exporter = (file_object: DestinationFile, task_data: TaskData, options: ExportOptions) => Promise<void>;

/** Kinds of objects in formats. A rotated rectangle counts as a separate kind. */
export type ObjectKind = ShapeType | 'rotated rectangle' | 'tag' | 'track' | 'attribute';

/**
 * Support for one kind of object. `both` is exported and imported as that kind; `export` and `import` are one of the
 * two. `converted` is exported as another kind, which is reported. `partial` keeps only data that has a field in the
 * format. Kinds that are not listed are dropped and reported.
 */
export type ObjectSupport = 'both' | 'export' | 'import' | 'converted' | 'partial';
export type SupportTable = Readonly<Partial<Record<ObjectKind, ObjectSupport>>>;

/**
 * An option of a format, for dialogs and the command line. `name` is the key that the importer or exporter reads.
 * Default: the first choice, or the value in the description.
 */
export type FormatOption = Readonly<FormatOptionField>;

export interface Detection {
  /** A sentence that states the evidence in the file. */
  readonly reason: string;
  /** 0..1; from 0.9, the format is almost certain. */
  readonly confidence: number;
}

/**
 * Decides if a source may be of the format; null for no. Reads little: names and the start of a few files. The detector
 * of a user's plug-in runs in a separate process and receives the {@link SourceFile} instead.
 */
export type Detector = (source: Source) => Promise<Detection | null> | Detection | null;

/** Parameters of the decorator, named as in CVAT's specification. */
export interface FormatParameters {
  readonly name: string;
  readonly version: string;
  /** File extension; for an importer a comma-separated list, for example `JSON, ZIP`. */
  readonly ext: string;
  /** Default: name, version and extension combined. */
  readonly display_name?: string;
  readonly dimension?: '2d' | '3d' | '1d';
  readonly enabled?: boolean;
  /** Supported kinds of objects, for lists of formats. A test compares it with the plug-in's behavior. */
  readonly support?: SupportTable;
  readonly options?: readonly FormatOption[];
  /** Detects the format of files. Importers only. */
  readonly detect?: Detector;
  /** True for sequence formats, which number the frames, so none can be omitted. */
  readonly isSequence?: boolean;
  /** True if frames of all subsets are in one folder. Exporters only. */
  readonly lacksSubsets?: boolean;
  /** True if class numbers can start at 0 or 1, by the option `first_class_id`. Exporters only. */
  readonly numbersClasses?: boolean;
}

/** Parameters with all defaults filled in. */
export type FormatDescription = FormatParameters &
  Required<Pick<FormatParameters, 'display_name' | 'dimension' | 'enabled'>>;

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

/** A format as listed by `GET /api/server/annotation/formats`. `name` is the display name. */
export type ListedFormat = Pick<FormatDescription, 'name' | 'ext' | 'version' | 'enabled' | 'dimension'>;

export interface ListedFormats {
  readonly importers: readonly ListedFormat[];
  readonly exporters: readonly ListedFormat[];
}

export function listedFormat(format: Omit<ListedFormat, 'name'> & { readonly display_name: string }): ListedFormat {
  const { display_name: name, ext, version, enabled, dimension } = format;
  return { name, ext, version, enabled, dimension };
}

function describe({ display_name, dimension = '2d', enabled = true, ...rest }: FormatParameters): FormatDescription {
  const { name, version, ext } = rest;
  return { ...rest, display_name: display_name ?? `${name} ${version} ${ext}`, dimension, enabled };
}

function callable<Run extends (...args: never[]) => Promise<void>>(target: Run | ClassOf<Run>): Run {
  if (typeof target !== 'function' || !/^class\b/.test(Function.prototype.toString.call(target))) return target as Run;
  const Class = target as ClassOf<Run>;
  return ((...args: Parameters<Run>) => new Class(...args).run()) as unknown as Run;
}

/**
 * Registers an importer: `importer({ name, version, ext })(importCoco)`. The target is a function `(file_object,
 * task_data, options)`, or a class with that constructor and a method `run()`.
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

/** Importer and exporter that a format's folder exports to the registry. */
export interface Format {
  readonly importer?: RegisteredImporter;
  readonly exporter?: RegisteredExporter;
}
