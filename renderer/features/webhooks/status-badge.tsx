import { useText } from '../../i18n/index.ts';
import classes from './webhooks.module.css';

/** As the service counts: what is below 400 has arrived. */
export const isDelivered = (code: number | null): boolean => code !== null && code < 400;

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
