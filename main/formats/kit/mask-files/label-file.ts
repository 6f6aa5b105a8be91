import type { Source } from '../../io/source.ts';
import { splitLines } from '../../io/text-lines.ts';
import type { FormatReport } from '../report.ts';
import type { LabelInfo, TaskData } from '../task-data.ts';
import { backgroundName, colorNumber, type LabelColor, readLabelColors } from './label-colors.ts';

export const labelColorsFile = 'label_colors.txt';

export interface FileLabels {
  /** By number; the first one is what pixels without an object have. */
  readonly labels: readonly LabelColor[];
  /** Whether the file itself names its labels. */
  readonly isStated: boolean;
}

/**
 * The labels of a data set by their numbers: those of `label_colors.txt`, where the black one comes first, or a
 * `background` that is not written; else `fallback`.
 */
export async function readFileLabels(
  source: Source,
  fallback: () => readonly LabelColor[],
  report: FormatReport,
): Promise<FileLabels> {
  if (!source.has(labelColorsFile)) return { labels: fallback(), isStated: false };
  const { labels, problems } = readLabelColors(splitLines(await source.read(labelColorsFile)));
  for (const { line, reason } of problems) report.bad(labelColorsFile, `line ${line}`, reason);
  const isBlack = ({ color }: LabelColor): boolean => colorNumber(color) === 0;
  const first: LabelColor = labels.find(isBlack) ?? { name: backgroundName, color: [0, 0, 0] };
  return { labels: [first, ...labels.filter((label) => label !== first)], isStated: true };
}

/** Tells a project about the labels of a data set that names them itself. */
export function declareLabels({ labels, isStated }: FileLabels, task_data: TaskData): void {
  if (!isStated) return;
  for (const { name } of labels) if (name !== backgroundName) task_data.declare_label?.({ name });
}

/** Pixels without an object become a mask only where the task has a label for them. */
export function isWanted(label: LabelColor | undefined, number: number, task_data: TaskData): boolean {
  if (!label) return false;
  return (number !== 0 && label.name !== backgroundName) || task_data.label(label.name) !== undefined;
}

/** Whether an object stands for many, as attributes: only where the label has such an attribute, or is not known. */
export function crowdAttributes(
  isCrowd: boolean,
  label: LabelInfo | undefined,
): { readonly name: string; readonly value: string }[] {
  const has = label ? label.attributes.some(({ name }) => name === 'is_crowd') : isCrowd;
  return has ? [{ name: 'is_crowd', value: String(isCrowd) }] : [];
}

export function isCrowd(attributes: readonly { readonly name: string; readonly value: string }[]): boolean {
  const value = attributes.find(({ name }) => name === 'is_crowd')?.value.toLowerCase();
  return value === 'true' || value === '1';
}
