import type { ShapeType } from '../../../preload/contract/schema/annotations.ts';
import type { FormatOptionField } from '../../../preload/contract/schema/formats.ts';
import type { Source, SourceFile } from '../io/source.ts';
import type { FormatReport } from './report.ts';
import type { TaskData } from './task-data.ts';

export type { SourceFile } from '../io/source.ts';

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

/**
 * An option of a format as a person is asked for it. `name` is the member of the options that the importer or exporter
 * reads; without an answer it takes its default: the first of the choices, or what the description says.
 */
export type FormatOption = Readonly<FormatOptionField>;

/** What an importer thinks of a file. */
export interface Detection {
  /** What in the file speaks for the format, as a sentence. */
  readonly reason: string;
  /** 0..1; from 0.9 on there is hardly a doubt. */
  readonly confidence: number;
}

/**
 * Says whether a source may be of the format; null for no. Reads little: names, and the beginning of a few files. A
 * plug-in that a person brought runs in a process of its own and is given the {@link SourceFile} instead.
 */
export type Detector = (source: Source) => Promise<Detection | null> | Detection | null;

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
  readonly support?: SupportTable | undefined;
  /** What a person may choose, for dialogs and the command line. */
  readonly options?: readonly FormatOption[] | undefined;
  /** For an importer: takes part in naming the format of a file. */
  readonly detect?: Detector | undefined;
  /** Of sequences: frames are counted in it, so none can be left out. Others are of still images. */
  readonly isSequence?: boolean | undefined;
  /** For an exporter: frames of all subsets lie together. */
  readonly lacksSubsets?: boolean | undefined;
  /** For an exporter: its classes have numbers that may begin at 0 or 1, as the option `first_class_id` says. */
  readonly numbersClasses?: boolean | undefined;
}

/** The same, completed. */
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

/** One format as `GET /api/server/annotation/formats` lists it. `name` is the display name. */
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

/** A format as its folder gives it to the registry. */
export interface Format {
  readonly importer?: RegisteredImporter;
  readonly exporter?: RegisteredExporter;
}
