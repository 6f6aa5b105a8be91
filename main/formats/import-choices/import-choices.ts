import { type LabelMapping, withLabelMapping } from '../kit/label-mapping.ts';
import { choiceOption } from '../kit/option-values.ts';
import type { FormatDescription } from '../kit/plugin.ts';
import type { FormatReport } from '../kit/report.ts';
import type { TaskData } from '../kit/task-data.ts';
import { frameMatchings, type FrameMatching, withFrameMatching } from './frame-choice.ts';
import { withMasksAsPolygons } from './mask-choice.ts';
import { withSubset } from './subset-choice.ts';

type Options = Readonly<Record<string, unknown>>;

/** Options shared by all formats. The remaining options belong to the format. */
export interface ImportChoices {
  /** Maps labels of the file to labels of the task; null drops their objects. */
  readonly label_mapping: LabelMapping | undefined;
  /** Reads only this subset of the file. */
  readonly subset: string | undefined;
  readonly frame_matching: FrameMatching;
  /** Undefined: the format's default. */
  readonly masks: 'keep' | 'polygons' | undefined;
  /** Labels of the file to create in the task: these, or all that it lacks. */
  readonly create_labels: readonly string[] | 'all';
  /** Handling of attributes that their label does not have. */
  readonly unknown_attributes: 'drop' | 'create';
  /** Adds images that the file has and the task lacks. */
  readonly add_images: boolean;
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

function labelsToCreate(value: unknown): ImportChoices['create_labels'] {
  if (value === true || value === 'true' || value === 'all') return 'all';
  return Array.isArray(value) ? value.flatMap((name: unknown) => (typeof name === 'string' ? [name.trim()] : [])) : [];
}

/** Reads the shared options of an import. Throws `AppError('invalid')` for unknown values. */
export function readImportChoices(
  options: Options,
  format: Pick<FormatDescription, 'options'> | undefined,
): ImportChoices {
  // Formats with numbered frames define and read the option themselves.
  const matchesItself = format?.options?.some(({ name }) => name === 'frame_matching') ?? false;
  const masks = options['masks'] === undefined ? undefined : choiceOption(options, 'masks', ['keep', 'polygons']);
  return {
    // The shape was validated at the API.
    label_mapping: options['label_mapping'] as LabelMapping | undefined,
    subset: textOf(options['subset']),
    frame_matching: matchesItself ? 'auto' : choiceOption(options, 'frame_matching', frameMatchings),
    masks,
    create_labels: labelsToCreate(options['create_labels']),
    add_images: options['add_images'] === true || options['add_images'] === 'true',
    unknown_attributes: choiceOption(options, 'unknown_attributes', ['drop', 'create']),
  };
}

/** True if labels or attributes may have to be created before reading. */
export function makesLabels({ create_labels, unknown_attributes }: ImportChoices): boolean {
  return create_labels === 'all' || create_labels.length > 0 || unknown_attributes === 'create';
}

/** Wraps the task, its report and the options for the importer. */
export function applyImportChoices(
  task_data: TaskData,
  report: FormatReport,
  { options, choices }: { readonly options: Options; readonly choices: ImportChoices },
): { readonly task_data: TaskData; readonly report: FormatReport; readonly options: Options } {
  const { frame_matching, subset, masks, label_mapping } = choices;
  let task = withFrameMatching(task_data, frame_matching);
  let said = report;
  if (subset !== undefined) task = withSubset(task, task_data, subset);
  if (masks === 'polygons') ({ task_data: task, report: said } = withMasksAsPolygons(task, report));
  if (label_mapping) task = withLabelMapping(task, label_mapping);
  return {
    task_data: task,
    report: said,
    options: masks === undefined ? options : { ...options, conv_mask_to_poly: masks === 'polygons' },
  };
}
