import { IconMapOff } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useText } from '../i18n/index.ts';
import { Empty, Page, PageLoader, Problem } from './page.tsx';

export interface LoadableQuery<Data> {
  readonly data: Data | undefined;
  readonly error: (Error & { readonly kind?: string }) | null;
  readonly refetch: () => unknown;
}

interface LoadedProps<Data> {
  readonly query: LoadableQuery<Data>;
  /** For content that is the complete page: its name until the data is loaded. */
  readonly page?: string;
  /** With `page`: link for a missing object, which a retry cannot fix. */
  readonly elsewhere?: ReactNode;
  readonly children: (data: Data) => ReactNode;
}

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
  const problem = <Problem title={t('common.loadFailed')} message={error} retry={refetch} />;
  return page === undefined ? problem : <Page title={page}>{problem}</Page>;
}
