import { IconMapOff } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useText } from '../i18n/index.ts';
import { Empty, Page, PageLoader, Problem } from './page.tsx';

/** A question to the service, as the cache keeps it. */
export interface Asked<Data> {
  readonly data: Data | undefined;
  readonly error: (Error & { readonly kind?: string }) | null;
  readonly refetch: () => unknown;
}

interface LoadedProps<Data> {
  readonly query: Asked<Data>;
  /** Where what is asked for is the whole page: its name while there is none to show. */
  readonly page?: string;
  /** With `page`: the way on where there is no such thing, which asking again cannot change. */
  readonly elsewhere?: ReactNode;
  readonly children: (data: Data) => ReactNode;
}

/** What was asked for; until it is there a sign that it comes, or why it does not. */
export function Loaded<Data>({ query, page, elsewhere, children }: LoadedProps<Data>) {
  const t = useText();
  const { data, error, refetch } = query;
  if (data !== undefined) return children(data);
  if (error === null) return <PageLoader label={t('app.loading')} />;
  if (page !== undefined && elsewhere !== undefined && error.kind === 'not-found') {
    const icon = <IconMapOff size={40} stroke={1.25} />;
    return (
      <Page title={page}>
        <Empty icon={icon} title={t('app.goneTitle')} text={t('app.goneText')} action={elsewhere} />
      </Page>
    );
  }
  const retry = { label: t('common.retry'), run: () => void refetch() };
  const problem = <Problem title={t('common.loadFailed')} message={error.message} retry={retry} />;
  return page === undefined ? problem : <Page title={page}>{problem}</Page>;
}
