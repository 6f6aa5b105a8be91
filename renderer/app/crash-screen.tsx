import { IconMapOff, IconMoodSad } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { messageOf } from '../api/api-error.ts';
import { useText } from '../i18n/index.ts';
import { Button, Code, Stack } from '../ui/kit.ts';
import { Empty, Page } from '../ui/page.tsx';
import { fetchCode } from './fetch-code.ts';

/**
 * The code of a screen could not be loaded: the service is unreachable, or its files were replaced while the window was
 * open.
 */
class ScreenMissing extends Error {}

/** A screen whose code is loaded by `load`; the router waits for it before rendering. */
export function screen<Props extends object>(fetchContent: () => Promise<ComponentType<Props>>) {
  let Content: ComponentType<Props> | undefined;
  const Screen = (props: Props) => {
    if (Content === undefined) throw new ScreenMissing();
    return <Content {...props} />;
  };
  const load = async (): Promise<void> => {
    try {
      Content ??= await fetchCode(fetchContent);
    } catch (cause) {
      throw new ScreenMissing('', { cause });
    }
  };
  return Object.assign(Screen, { load });
}

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
