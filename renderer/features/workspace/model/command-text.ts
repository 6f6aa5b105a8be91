import type { CommandSummary } from '../../../canvas/types.ts';
import { text } from '../../../i18n/index.ts';

export function describeCommand({ kind, count, type, labelName }: CommandSummary): string {
  const name = type === null ? text('annotate.anObject') : text(`annotate.shape.${type}`).toLowerCase();
  const what = labelName === null ? name : text('annotate.commandWhat', { type: name, label: labelName });
  return text(`annotate.command.${kind}`, { count, what });
}
