import type { Source } from '../../io/source.ts';
import { splitLines } from '../../io/text-lines.ts';
import type { FormatReport } from '../report.ts';
import type { LabelInfo, TaskData } from '../task-data.ts';
import { backgroundName, colorNumber, type LabelColor, readLabelColors } from './label-colors.ts';

export const labelColorsFile = 'label_colors.txt';

export interface FileLabels {
  /** Labels by number. The first one is the background. */
  readonly labels: readonly LabelColor[];
  /** True if the dataset names its labels. */
  readonly isStated: boolean;
}

/**
 * Labels of a dataset by number, from `label_colors.txt` or else `fallback`. The first one is the black one, or an
 * implied `background`.
 */
export async function readFileLabels(
  source: Source,
  fallback: () => readonly LabelColor[],
  report: FormatReport,
): Promise<FileLabels> {
  if (!source.has(labelColorsFile)) return { labels: fallback(), isStated: false };
  const { labels, problems } = readLabelColors(splitLines(await source.read(labelColorsFile)));
  for (const { line, reason } of problems) report.invalid(labelColorsFile, `line ${line}`, reason);
  const isBlack = ({ color }: LabelColor): boolean => colorNumber(color) === 0;
  const first: LabelColor = labels.find(isBlack) ?? { name: backgroundName, color: [0, 0, 0] };
  return { labels: [first, ...labels.filter((label) => label !== first)], isStated: true };
}

/** Declares the labels of a dataset that names them. */
export function declareLabels({ labels, isStated }: FileLabels, task_data: TaskData): void {
  if (!isStated) return;
  for (const { name } of labels) if (name !== backgroundName) task_data.declare_label?.({ name });
}

/** Background pixels become a mask only if the task has a label for them. */
export function isWanted(label: LabelColor | undefined, number: number, task_data: TaskData): boolean {
  if (!label) return false;
  return (number !== 0 && label.name !== backgroundName) || task_data.label(label.name) !== undefined;
}

/** The crowd flag as an attribute, if the label has such an attribute or is unknown. */
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
