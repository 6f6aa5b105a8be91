import type { AnnotationChange } from '../../../preload/contract/schema/annotations.ts';
import type { TextFunction } from '../../i18n/index.ts';

/** What somebody changed, in a few words. */
export function changeText(t: TextFunction, { kind, effect, object_count: count, detail }: AnnotationChange): string {
  if (kind === 'import') return t(effect === 'replace' ? 'changes.imported' : 'changes.added', { count, detail });
  if (kind === 'label') return t('changes.label', { count, detail });
  if (kind === 'take-back') return t(`changes.takenBack.${effect}`, { count });
  return t(`changes.${kind}`, { count });
}
