import { useText } from '../../../i18n/index.ts';
import classes from './status-badge.module.css';

/** As the service counts: a redirect has not arrived. */
export const isDelivered = (code: number | null): boolean => code !== null && code < 300;

/** The status that a receiver answered, or the one that stands for no answer. */
export const StatusBadge = ({ code }: { readonly code: number | null }) => {
  const t = useText();
  const outcome = isDelivered(code) ? 'ok' : 'bad';
  return (
    <span className={classes.status} data-outcome={outcome} title={t(`webhookLog.outcome.${outcome}`)}>
      {code ?? '–'}
    </span>
  );
};
