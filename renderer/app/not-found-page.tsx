import { IconMapOff } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useText } from '../i18n/index.ts';
import { Button } from '../ui/kit.ts';
import { Empty, Page } from '../ui/page.tsx';

export function NotFoundPage() {
  const t = useText();
  const navigate = useNavigate();
  return (
    <Page title={t('app.notFoundTitle')}>
      <Empty
        icon={<IconMapOff size={40} stroke={1.25} />}
        title={t('app.notFoundTitle')}
        text={t('app.notFoundText')}
        action={<Button onClick={() => void navigate({ to: '/tasks' })}>{t('app.toTasks')}</Button>}
      />
    </Page>
  );
}
