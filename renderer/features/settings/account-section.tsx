import { useQuery } from '@tanstack/react-query';
import { queries } from '../../api/queries.ts';
import { useText } from '../../i18n/index.ts';
import { PageLoader, Problem } from '../../ui/page.tsx';
import { NameForm } from './name-form.tsx';
import { PasswordForm } from './password-form.tsx';

export function AccountSection() {
  const t = useText();
  const self = useQuery({ ...queries.self(), refetchOnMount: 'always' });
  if (self.data === undefined) {
    if (self.error === null) return <PageLoader label={t('app.loading')} />;
    const retry = { label: t('common.retry'), run: () => void self.refetch() };
    return <Problem title={t('common.loadFailed')} message={self.error.message} retry={retry} />;
  }
  return (
    <>
      <NameForm user={self.data} />
      <PasswordForm user={self.data} />
    </>
  );
}
