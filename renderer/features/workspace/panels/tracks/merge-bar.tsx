import { useText } from '../../../../i18n/index.ts';
import { Button } from '../../../../ui/kit.ts';
import { keepFocus } from '../../commands/focus.ts';
import { useAnnotate, useSession } from '../session-context.ts';
import classes from '../canvas-area.module.css';

/** Shows the number of collected objects and how to finish the merge. */
export function MergeBar() {
  const t = useText();
  const { trackController } = useSession();
  const count = useAnnotate((state) => state.merging?.length ?? null);
  if (count === null) return null;
  return (
    <div
      className={`${classes.over} ${classes.merging}`}
      data-high
      role="status"
      onMouseDown={keepFocus}
      data-testid="merging"
    >
      <span>{t('track.merging', { count })}</span>
      <Button size="compact-xs" disabled={count < 2} onClick={trackController.merge}>
        {t('track.mergeNow')} (M)
      </Button>
      <Button size="compact-xs" variant="default" disabled={count < 2} onClick={trackController.join}>
        {t('track.joinNow')} (J)
      </Button>
      <Button size="compact-xs" variant="subtle" onClick={trackController.stopMerging}>
        {t('common.cancel')}
      </Button>
    </div>
  );
}
