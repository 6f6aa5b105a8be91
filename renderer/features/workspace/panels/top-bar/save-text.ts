import type { TextFunction } from '../../../../i18n/index.ts';
import type { SaveStatus } from '../../model/saving/save-types.ts';

const failureTexts = {
  unreachable: 'saving.unreachable',
  'signed-out': 'saving.signedOut',
  gone: 'saving.gone',
  'disk-full': 'saving.diskFull',
  refused: 'saving.refusedPlain',
  stale: 'saving.refusedPlain',
} as const;

/** Sentence with the reason for unsaved edits and the next step. */
function reasonOf({ failure, refused, conflicts }: SaveStatus, t: TextFunction): string {
  if (failure === null && conflicts.length > 0) return t('saving.clashes', { count: conflicts.length });
  if (failure === null) return t('saving.refused', { count: refused });
  return failure.kind === 'server' ? t('saving.server', { message: failure.message }) : t(failureTexts[failure.kind]);
}

export function saveText(status: SaveStatus, t: TextFunction): string {
  if (status.state === 'saved') return t('saving.saved');
  if (status.state === 'saving') return t('saving.saving');
  return t('saving.notSaved', { reason: reasonOf(status, t) });
}
