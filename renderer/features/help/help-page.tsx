import { IconHelp } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useLayoutEffect } from 'react';
import { helpPagesQuery } from '../../api/help-queries.ts';
import { useText } from '../../i18n/index.ts';
import { Button, useColorScheme } from '../../ui/kit.ts';
import { Empty, Page, PageLoader, useWindowTitle } from '../../ui/page.tsx';
import classes from './help-page.module.css';

/** VitePress reads its theme from this key. */
const themeKey = 'vitepress-theme-appearance';

/** Addresses may be user input, so only pages below `/help/` are opened. */
const isPage = (page: string): boolean => /^[\w-]+(\/[\w-]+)*\.html(#[\p{L}\p{N}_-]*)?$/u.test(page);

export function HelpPage({ page }: { readonly page: string | undefined }) {
  const t = useText();
  const { data, isPending, refetch } = useQuery({ ...helpPagesQuery(), refetchOnMount: 'always' });
  if (isPending) return <PageLoader label={t('app.loading')} />;
  if (data) return <HelpFrame page={page !== undefined && isPage(page) ? page : ''} />;
  return (
    <Page title={t('app.help')}>
      <Empty
        icon={<IconHelp size={40} stroke={1.2} />}
        title={t('help.notInstalled')}
        text={t('help.notInstalledText')}
        action={<Button onClick={() => void refetch()}>{t('common.retry')}</Button>}
      />
    </Page>
  );
}

function HelpFrame({ page }: { readonly page: string }) {
  const t = useText();
  const { colorScheme } = useColorScheme();
  useWindowTitle(t('app.help'));
  useLayoutEffect(() => localStorage.setItem(themeKey, colorScheme), [colorScheme]);
  return (
    // oxlint-disable-next-line react/iframe-missing-sandbox -- the service's own pages, which read the theme from storage
    <iframe
      // Selecting the same page again reopens it, wherever the reader went.
      key={page}
      className={classes.frame}
      title={t('app.help')}
      src={`/help/${page}`}
      onLoad={({ currentTarget }) => passKeys(currentTarget)}
    />
  );
}

/** Keeps F1 working while a Help page has the focus. */
function passKeys({ contentWindow }: HTMLIFrameElement): void {
  contentWindow?.addEventListener('keydown', (event) => {
    if (event.key !== 'F1') return;
    event.preventDefault();
    window.dispatchEvent(new KeyboardEvent('keydown', { key: event.key, shiftKey: event.shiftKey }));
  });
}
