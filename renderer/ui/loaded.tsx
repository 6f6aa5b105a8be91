import type { ReactNode } from 'react';
import { useText } from '../i18n/index.ts';
import { Page, PageLoader, Problem } from './page.tsx';

/** A question to the service, as the cache keeps it. */
export interface Asked<Data> {
  readonly data: Data | undefined;
  readonly error: Error | null;
  readonly refetch: () => unknown;
}

interface LoadedProps<Data> {
  readonly query: Asked<Data>;
  /** Where what is asked for is the whole page: its name while there is none to show. */
  readonly page?: string;
  readonly children: (data: Data) => ReactNode;
}

/** What was asked for; until it is there a sign that it comes, or why it does not. */
export function Loaded<Data>({ query, page, children }: LoadedProps<Data>) {
  const t = useText();
  const { data, error, refetch } = query;
  if (data !== undefined) return children(data);
  if (error === null) return <PageLoader label={t('app.loading')} />;
  const retry = { label: t('common.retry'), run: () => void refetch() };
  const problem = <Problem title={t('common.loadFailed')} message={error.message} retry={retry} />;
  return page === undefined ? problem : <Page title={page}>{problem}</Page>;
}
