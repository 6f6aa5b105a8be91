import { useText } from '../../../i18n/index.ts';
import classes from './status-badge.module.css';

/** By the service's rule: a redirect is not delivered. */
export const isDelivered = (code: number | null): boolean => code !== null && code < 300;

export const StatusBadge = ({ code }: { readonly code: number | null }) => {
  const t = useText();
  const outcome = isDelivered(code) ? 'ok' : 'bad';
  return (
    <span className={classes.status} data-outcome={outcome} title={t(`webhookLog.outcome.${outcome}`)}>
      {code ?? '–'}
    </span>
  );
};
