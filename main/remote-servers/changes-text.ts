import type { RemoteDifference } from '../../preload/contract/schema/remotes.ts';

/** Changes as text; null without any. */
export function changesOf(difference: RemoteDifference | null): string | null {
  if (difference === null) return null;
  const { added, changed, removed, issues, stage } = difference;
  const parts = [
    ...(added + changed + removed === 0 ? [] : [`${added} added, ${changed} changed, ${removed} removed`]),
    ...(issues === 0 ? [] : [issues === 1 ? '1 issue or comment' : `${issues} issues and comments`]),
    ...(stage === null ? [] : [`stage ${stage}`]),
  ];
  return parts.length === 0 ? null : parts.join('; ');
}
