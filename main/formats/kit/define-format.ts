import { withSource } from '../io/open-source.ts';
import type { Source } from '../io/source.ts';
import { checkedEncoding, type TextEncodingOptions, withTextEncoding } from '../io/text-encoding.ts';
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
import { withOutsideTold } from './export-guard.ts';
import type { FormatReport } from './report.ts';
import type { TaskData } from './task-data.ts';
import { withTidyNames } from './tidy-names.ts';
import { refusingFractions } from './units.ts';

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

/** A table of support, written the other way round: what becomes of objects, and the kinds of which it does. */
export function carries(kindsOf: Readonly<Partial<Record<ObjectSupport, readonly ObjectKind[]>>>): SupportTable {
  const supports = Object.keys(kindsOf) as ObjectSupport[];
  return Object.fromEntries(
    everyKind.flatMap((kind) => {
      const support = supports.find((one) => kindsOf[one]?.includes(kind));
      return support ? [[kind, support]] : [];
    }),
  );
}

/** An option with choices: their titles by their values; the first stands where nothing is said. */
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

/** Reads a data set that is open; what its files themselves give to say is in the report. */
export type DatasetReader = (source: Source, task_data: TaskData, options: ImportOptions) => Promise<void>;

type OwnParameters = Omit<FormatParameters, 'display_name'>;
/** Limner's own formats are seen by name and version. */
const shown = <Own extends OwnParameters>(own: Own) => ({ ...own, display_name: `${own.name} ${own.version}` });

/** Registers an importer of Limner's own. One that `statesShares` has coordinates in fractions or percent. */
export const datasetImporter =
  ({
    statesShares = false,
    legacyEncoding,
    ...parameters
  }: OwnParameters & Pick<TextEncodingOptions, 'legacyEncoding'> & { readonly statesShares?: boolean | undefined }) =>
  (read: DatasetReader): RegisteredImporter =>
    importer(shown(parameters))((file_object, task_data, options) =>
      withSource(file_object, async (source) => {
        source.warnings.forEach((warning) => options.report.warn(warning));
        const stated = options['encoding'];
        const encoding = typeof stated === 'string' && stated !== '' ? checkedEncoding(stated) : undefined;
        const target = statesShares ? task_data : refusingFractions(task_data);
        await read(withTextEncoding(source, { encoding, legacyEncoding }), withTidyNames(target), options);
        options.progress(1);
      }),
    );

/** A format without tracks tells them all; of one that has what is seen the rest is told here, not lost without a word. */
function tellUnseenTracks({ tracks }: TaskData, report: FormatReport, format: string): void {
  for (const { label, shapes } of tracks) {
    const isUnseen = shapes.length > 0 && shapes.every(({ outside }) => outside);
    if (isUnseen) report.lost('track', label, `It is seen on no frame, and ${format} has only what is seen.`);
  }
}

interface ExporterTraits {
  /** It has keyframes where a track is not seen. */
  readonly writesUnseenTracks?: boolean | undefined;
  /** Its readers refuse coordinates outside the image. */
  readonly cutsOutside?: boolean | undefined;
}

/** Registers an exporter of Limner's own. */
export const datasetExporter =
  ({ writesUnseenTracks = false, cutsOutside = false, ...own }: OwnParameters & ExporterTraits) =>
  (write: Exporter): RegisteredExporter => {
    const parameters = shown(own);
    const { display_name: format, support } = parameters;
    const hasTracks = support?.track === 'both' || support?.track === 'export';
    return exporter(parameters)(async (file_object, task_data, options) => {
      const told = withOutsideTold(task_data, options.report, cutsOutside);
      await write(file_object, told.task_data, options);
      told.finish();
      if (hasTracks && !writesUnseenTracks) tellUnseenTracks(task_data, options.report, format);
      options.progress(1);
    });
  };

/** A format of Limner's own that is read and written under one name: `name version`. */
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
  /** What is read beside the archives that are written. */
  readonly importExt?: string;
  readonly importOptions?: readonly FormatOption[];
  readonly exportOptions?: readonly FormatOption[];
  /** Coordinates are fractions of the image, or percent, or may be. */
  readonly statesShares?: boolean;
  /** Readers refuse coordinates outside the image; without a word it is so where they are shares of it. */
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
