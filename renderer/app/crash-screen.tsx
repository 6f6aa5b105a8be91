import { IconMoodSad } from '@tabler/icons-react';
import { messageOf } from '../api/api-error.ts';
import { useText } from '../i18n/index.ts';
import { Button, Code, Stack } from '../ui/kit.ts';
import { Empty, Page } from '../ui/page.tsx';
import { ScreenMissing } from './screen.tsx';

/** Shown in place of a screen that threw, or whose code did not come. */
export function CrashScreen({ error }: { readonly error: unknown }) {
  const t = useText();
  const isMissing = error instanceof ScreenMissing;
  const cause = isMissing ? error.cause : error;
  const details = cause instanceof Error ? (cause.stack ?? cause.message) : messageOf(cause);
  return (
    <Page title={t(isMissing ? 'crash.missingTitle' : 'crash.title')}>
      <Empty
        icon={<IconMoodSad size={40} stroke={1.25} />}
        title={isMissing ? t('crash.missing') : messageOf(error)}
        text={t(isMissing ? 'crash.missingText' : 'crash.text')}
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
