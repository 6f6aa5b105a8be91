import { IconPlugConnectedX } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call } from '../api/client.ts';
import { useConnection } from '../api/connection.ts';
import { useText } from '../i18n/index.ts';
import classes from './shell.module.css';

/** Says that the service is gone, asks for it again and again, and refreshes the screen when it is back. */
export function ConnectionBanner() {
  const t = useText();
  const client = useQueryClient();
  const lost = useConnection((state) => state.lost);
  useEffect(() => {
    if (!lost) return;
    const timer = setInterval(() => {
      call('about', {})
        .then(() => client.invalidateQueries())
        .catch(() => undefined);
    }, 1_500);
    return () => clearInterval(timer);
  }, [lost, client]);
  if (!lost) return null;
  return (
    <div className={classes.banner} role="alert">
      <IconPlugConnectedX size={18} />
      <span className={classes.bannerText}>{t('connection.lost')}</span>
    </div>
  );
}
