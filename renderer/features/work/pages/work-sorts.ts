import type { TextFunction } from '../../../i18n/index.ts';

export const workSorts = (t: TextFunction) => [
  { value: '-id', label: t('lists.sorts.newest') },
  { value: 'id', label: t('lists.sorts.oldest') },
  { value: '-updated_date', label: t('lists.sorts.changed') },
  { value: 'updated_date', label: t('lists.sorts.changedFirst') },
  { value: 'name', label: t('lists.sorts.name') },
  { value: '-name', label: t('lists.sorts.nameDown') },
];
