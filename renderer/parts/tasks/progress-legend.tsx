import { useText } from '../../i18n/index.ts';
import classes from './task-progress.module.css';

/** What the colours of the bars of progress mean, once for a list. */
export function ProgressLegend() {
  const t = useText();
  return (
    <span className={classes.legend} aria-hidden>
      {(['done', 'validation', 'progress'] as const).map((state) => (
        <span key={state}>
          <i data-state={state} />
          {t(`pages.states.${state}`)}
        </span>
      ))}
    </span>
  );
}
