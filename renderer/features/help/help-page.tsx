import { IconArrowLeft, IconHelp } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useLocation, useRouter } from '@tanstack/react-router';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { helpPagesQuery } from '../../api/help-queries.ts';
import { useText } from '../../i18n/index.ts';
import { languageChoice, languageOf } from '../../i18n/language.ts';
import { useOpenHelp } from '../../shared/help/find-help.ts';
import { Button, QuietButton, useColorScheme } from '../../ui/kit.ts';
import { Empty, Page, PageLoader, useWindowTitle } from '../../ui/page.tsx';
import classes from './help-page.module.css';
import { observeTitle, passKeys } from './help-window.ts';

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

/** Returns to the screen from which Help was opened. Pages that the reader has visited in Help are skipped. */
function useLeaveHelp(): () => void {
  const { history } = useRouter();
  const from = useLocation({ select: ({ state }) => state.helpFrom });
  return () => history.push(from ?? '/tasks');
}

function HelpFrame({ page }: { readonly page: string }) {
  const t = useText();
  const { colorScheme } = useColorScheme();
  const [title, setTitle] = useState('');
  const openHelp = useOpenHelp();
  const leave = useLeaveHelp();
  const latest = useRef(leave);
  useEffect(() => {
    latest.current = leave;
  });
  useWindowTitle(title === '' ? t('app.help') : `${title} · ${t('app.help')}`);
  useLayoutEffect(() => localStorage.setItem(themeKey, colorScheme), [colorScheme]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const isInDialog = document.querySelector('[role="dialog"], [role="menu"]') !== null;
      if (event.key === 'Escape' && !event.defaultPrevented && !isInDialog) latest.current();
    };
    window.addEventListener('keydown', onKey, { capture: true });
    return () => window.removeEventListener('keydown', onKey, { capture: true });
  }, []);
  return (
    <div className={classes.help}>
      <header className={classes.head}>
        <QuietButton size="compact-sm" leftSection={<IconArrowLeft size={16} />} title="Esc" onClick={leave}>
          {t('common.back')}
        </QuietButton>
        <nav className={classes.crumbs} aria-label={t('help.place')}>
          <button type="button" onClick={() => openHelp()}>
            {t('app.help')}
          </button>
          {title !== '' && <span aria-current="page">{title}</span>}
        </nav>
        {languageOf(languageChoice()) !== 'en' && <span className={classes.language}>{t('help.onlyEnglish')}</span>}
      </header>
      {/* oxlint-disable-next-line react/iframe-missing-sandbox -- the service's own pages, which read the theme from storage */}
      <iframe
        // Selecting the same page again reopens it, wherever the reader went.
        key={page}
        className={classes.frame}
        title={t('app.help')}
        src={`/help/${page}`}
        onLoad={({ currentTarget: { contentWindow } }) => {
          if (contentWindow === null) return;
          passKeys(contentWindow);
          observeTitle(contentWindow.document, setTitle);
        }}
      />
    </div>
  );
}
