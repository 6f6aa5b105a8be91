import type { TextFunction } from '../../i18n/index.ts';

/** Orders of tasks and of projects. */
export const workSorts = (t: TextFunction) => [
  { value: '-id', label: t('tasks.sortNewest') },
  { value: '-updated_date', label: t('tasks.sortChanged') },
  { value: 'name', label: t('tasks.sortName') },
];
