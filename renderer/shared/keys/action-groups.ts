import type { ActionGroup } from '../../canvas/action-table.ts';

export const actionGroups = [
  'frame',
  'player',
  'tools',
  'draw',
  'label',
  'labelKeys',
  'edit',
  'object',
  'track',
  'model',
  'view',
  'mode',
  'file',
  'other',
] as const;
export type ListedGroup = (typeof actionGroups)[number];

/** Group in the list; the last one by default. */
export const listedGroup = (group: ActionGroup): ListedGroup => actionGroups.find((one) => one === group) ?? 'other';
