import { withSource } from '../io/open-source.ts';
import type { Source } from '../io/source.ts';
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
import type { FormatReport } from './report.ts';
import type { TaskData } from './task-data.ts';
import { withTidyNames } from './tidy-names.ts';

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

/** Registers an importer of Limner's own. */
export const datasetImporter =
  (parameters: OwnParameters) =>
  (read: DatasetReader): RegisteredImporter =>
    importer(shown(parameters))((file_object, task_data, options) =>
      withSource(file_object, async (source) => {
        source.warnings.forEach((warning) => options.report.warn(warning));
        await read(source, withTidyNames(task_data), options);
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

/** Registers an exporter of Limner's own. One that `writesUnseenTracks` has keyframes where a track is not seen. */
export const datasetExporter =
  ({ writesUnseenTracks = false, ...own }: OwnParameters & { readonly writesUnseenTracks?: boolean }) =>
  (write: Exporter): RegisteredExporter => {
    const parameters = shown(own);
    const { display_name: format, support } = parameters;
    const hasTracks = support?.track === 'both' || support?.track === 'export';
    return exporter(parameters)(async (file_object, task_data, options) => {
      await write(file_object, task_data, options);
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
  readonly read: DatasetReader;
  readonly write: Exporter;
}) {
  return {
    importer: datasetImporter({ ...own, ext: importExt, detect, options: importOptions })(read),
    exporter: datasetExporter({
      ...own,
      ext: 'ZIP',
      options: exportOptions,
      isSequence,
      lacksSubsets,
      numbersClasses,
    })(write),
  };
}
