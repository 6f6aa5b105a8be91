import type { GitDifference } from '../../../preload/contract/schema/git.ts';
import type { useText } from '../../i18n/index.ts';

/** For example `2 added, 1 changed`; empty where nothing is different. */
export function differenceText(t: ReturnType<typeof useText>, { added, changed, removed }: GitDifference): string {
  const parts = [
    added > 0 ? t('git.added', { count: added }) : '',
    changed > 0 ? t('git.changed', { count: changed }) : '',
    removed > 0 ? t('git.removed', { count: removed }) : '',
  ];
  return parts.filter((part) => part !== '').join(', ');
}
