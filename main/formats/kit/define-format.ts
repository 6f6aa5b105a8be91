import { withSource } from '../io/open-source.ts';
import { isSystemFile, nestedArchives, type Source } from '../io/source.ts';
import { statedEncoding, type TextEncodingOptions, withEncoding, withTextEncoding } from '../io/text-encoding.ts';
import {
  type Detector,
  type Exporter,
  exporter,
  type FormatOption,
  type FormatParameters,
  importer,
  type ImportOptions,
  type ObjectKind,
  type ObjectSupport,
  type RegisteredExporter,
  type RegisteredImporter,
  type SupportTable,
} from './plugin.ts';
import { withOutsideReported } from './export-guard.ts';
import { withShortNames } from './short-names.ts';
import type { FormatReport } from './report.ts';
import type { TaskData } from './task-data.ts';
import { withTidyNames } from './tidy-names.ts';
import { refusingFractions } from './units.ts';
import { AppError } from '../../platform/errors.ts';

export const everyShape = [
  'rectangle',
  'rotated rectangle',
  'ellipse',
  'polygon',
  'polyline',
  'points',
  'cuboid',
  'mask',
  'skeleton',
] as const satisfies readonly ObjectKind[];
export const everyKind = [...everyShape, 'tag', 'track', 'attribute'] as const satisfies readonly ObjectKind[];

export const everyKindBut = (...kinds: readonly ObjectKind[]): readonly ObjectKind[] =>
  everyKind.filter((kind) => !kinds.includes(kind));

/** Creates a support table from the object kinds of each level of support. */
export function carries(kindsOf: Readonly<Partial<Record<ObjectSupport, readonly ObjectKind[]>>>): SupportTable {
  const supports = Object.keys(kindsOf) as ObjectSupport[];
  return Object.fromEntries(
    everyKind.flatMap((kind) => {
      const support = supports.find((one) => kindsOf[one]?.includes(kind));
      return support ? [[kind, support]] : [];
    }),
  );
}

/** An option with choices (value to title). The first is the default. */
export const choice = (
  name: string,
  title: string,
  titles: Readonly<Record<string, string>>,
  description?: string,
): FormatOption => ({
  name,
  title,
  description,
  kind: 'choice',
  choices: Object.entries(titles).map(([value, own]) => ({ value, title: own })),
});

/** Reads an open dataset. Messages about the files are added to the report. */
export type DatasetReader = (source: Source, task_data: TaskData, options: ImportOptions) => Promise<void>;

type OwnParameters = Omit<FormatParameters, 'display_name'>;
/** Built-in formats are displayed by name and version. */
const shown = <Own extends OwnParameters>(own: Own) => ({ ...own, display_name: `${own.name} ${own.version}` });

/** Downloads often wrap a dataset archive in another archive. */
function refuseArchivesAlone(source: Source): void {
  const archives = nestedArchives(source);
  const [first] = archives;
  if (first === undefined) return;
  if (source.entries.filter(({ path }) => !isSystemFile(path)).length > archives.length) return;
  throw new AppError(
    'invalid',
    `Cannot read ${source.name}: it holds nothing but archives such as ${first}. Unpack it and import these. Nothing was imported.`,
  );
}

/** Registers a built-in importer. `statesShares` means that coordinates are fractions or percentages. */
export const datasetImporter =
  ({
    statesShares = false,
    legacyEncoding,
    ...parameters
  }: OwnParameters & Pick<TextEncodingOptions, 'legacyEncoding'> & { readonly statesShares?: boolean | undefined }) =>
  (read: DatasetReader): RegisteredImporter =>
    importer(shown(parameters))((file_object, task_data, options) =>
      withSource(withEncoding(file_object, options), async (source) => {
        source.warnings.forEach((warning) => options.report.warn(warning));
        refuseArchivesAlone(source);
        const encoding = statedEncoding(options);
        const target = statesShares ? task_data : refusingFractions(task_data);
        await read(withTextEncoding(source, { encoding, legacyEncoding }), withTidyNames(target), options);
        options.progress(1);
      }),
    );

/**
 * Reports tracks that are not visible on any frame, because formats with visible shapes only would drop them silently.
 */
function reportInvisibleTracks({ tracks }: TaskData, report: FormatReport, format: string): void {
  for (const { label, shapes } of tracks) {
    const isUnseen = shapes.length > 0 && shapes.every(({ outside }) => outside);
    if (isUnseen)
      report.dropped('track', label, `It is not visible on any frame, and ${format} has only visible objects.`);
  }
}

interface ExporterTraits {
  /** True if the format has keyframes where a track is not visible. */
  readonly writesUnseenTracks?: boolean;
  /** True if readers of the format reject coordinates outside the image. */
  readonly cutsOutside?: boolean;
}

export const datasetExporter =
  ({ writesUnseenTracks = false, cutsOutside = false, ...own }: OwnParameters & ExporterTraits) =>
  (write: Exporter): RegisteredExporter => {
    const parameters = shown(own);
    const { display_name: format, support } = parameters;
    const hasTracks = support?.track === 'both' || support?.track === 'export';
    return exporter(parameters)(async (file_object, task_data, options) => {
      const named = withShortNames(task_data, options.report);
      const told = withOutsideReported(named.task_data, options.report, cutsOutside);
      await write(file_object, told.task_data, options);
      told.finish();
      named.finish();
      if (hasTracks && !writesUnseenTracks) reportInvisibleTracks(task_data, options.report, format);
      options.progress(1);
    });
  };

/** Defines a built-in format that is imported and exported as `name version`. */
export function defineFormat({
  importExt = 'ZIP',
  detect,
  importOptions,
  exportOptions,
  isSequence,
  lacksSubsets,
  numbersClasses,
  statesShares,
  cutsOutside = statesShares,
  read,
  write,
  ...own
}: Pick<FormatParameters, 'name' | 'version' | 'isSequence' | 'lacksSubsets' | 'numbersClasses'> & {
  readonly support: SupportTable;
  readonly detect: Detector;
  /** File extensions for import in addition to archives. */
  readonly importExt?: string;
  readonly importOptions?: readonly FormatOption[];
  readonly exportOptions?: readonly FormatOption[];
  /** True if coordinates are, or can be, fractions or percentages of the image. */
  readonly statesShares?: boolean;
  /** True if readers reject coordinates outside the image. Default: `statesShares`. */
  readonly cutsOutside?: boolean;
  readonly read: DatasetReader;
  readonly write: Exporter;
}) {
  return {
    importer: datasetImporter({ ...own, ext: importExt, detect, options: importOptions, statesShares })(read),
    exporter: datasetExporter({
      ...own,
      ext: 'ZIP',
      options: exportOptions,
      isSequence,
      lacksSubsets,
      numbersClasses,
      cutsOutside,
    })(write),
  };
}
