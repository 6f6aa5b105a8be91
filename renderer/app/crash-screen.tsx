import { IconMoodSad } from '@tabler/icons-react';
import { messageOf } from '../api/api-error.ts';
import { useText } from '../i18n/index.ts';
import { Button, Code, Stack } from '../ui/kit.ts';
import { Empty, Page } from '../ui/page.tsx';

/** Shown in place of a screen that threw. */
export function CrashScreen({ error }: { readonly error: unknown }) {
  const t = useText();
  const details = error instanceof Error ? (error.stack ?? error.message) : messageOf(error);
  return (
    <Page title={t('crash.title')} narrow>
      <Empty
        icon={<IconMoodSad size={40} stroke={1.25} />}
        title={messageOf(error)}
        text={t('crash.text')}
        action={
          <Stack align="center" gap="md">
            <Button onClick={() => window.location.reload()}>{t('crash.reload')}</Button>
            <details>
              <summary>{t('crash.details')}</summary>
              <Code block maw={560}>
                {details}
              </Code>
            </details>
          </Stack>
        }
      />
    </Page>
  );
}
