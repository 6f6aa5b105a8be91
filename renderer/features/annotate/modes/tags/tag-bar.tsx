import { useText } from '../../../../i18n/index.ts';
import bars from '../../workspace.module.css';
import { ChoiceSwitch } from '../choice-switch.tsx';
import classes from '../modes.module.css';

export function TagBar() {
  const t = useText();
  return (
    <div className={`${bars.labels} ${classes.tools}`} role="toolbar" aria-label={t('desks.tags.bar')}>
      <span className={classes.word}>{t('desks.tags.hint')}</span>
      <span className={classes.space} />
      <ChoiceSwitch name="nextAfterTag" label={t('desks.tags.nextFrame')} />
    </div>
  );
}
