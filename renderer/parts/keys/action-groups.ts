import type { ActionGroup } from '../../canvas/action-table.ts';

/** Groups of actions in the order in which they are listed. */
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

/** Where an action is listed; what has no place of its own comes last. */
export const listedGroup = (group: ActionGroup): ListedGroup => actionGroups.find((one) => one === group) ?? 'other';
