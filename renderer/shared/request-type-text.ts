import type { TextFunction } from '../i18n/index.ts';

const known = new Set([
  'create:task',
  'import:annotations',
  'import:dataset',
  'export:annotations',
  'export:dataset',
  'import:backup',
  'export:backup',
  'export:events',
  'autoannotate:task',
  'create:frames',
  'export:frames',
  'create:evaluation',
  'import:predictions',
  'copy:predictions',
  'calculate:quality',
  'merge:task',
  'merge:job',
] as const);
type KnownType = typeof known extends Set<infer Type> ? Type : never;

/** Name of a background request's type; unknown types stay unchanged. */
export const requestTypeText = (type: string, t: TextFunction): string =>
  known.has(type as KnownType) ? t(`requests.type.${type as KnownType}`) : type;
