import { IconKey } from '@tabler/icons-react';
import { useText } from '../../../i18n/index.ts';
import { CodeBlock } from '../../../parts/code/code-view.tsx';
import { Alert, Button, Group, Stack, Text } from '../../../ui/kit.ts';

/** A password that was made here. */
export interface MadePassword {
  readonly username: string;
  readonly password: string;
}

/** Shows a password this once: the service keeps only its hash. */
export function PasswordOnce({ made, onDone }: { readonly made: MadePassword; readonly onDone: () => void }) {
  const t = useText();
  const title = t('users.passwordTitle', { name: made.username });
  return (
    <Alert variant="default" icon={<IconKey size={18} />} title={title} role="status">
      <Stack gap={8} align="stretch">
        <Text fz="sm">{t('users.passwordText')}</Text>
        <CodeBlock text={made.password} label={t('users.password')} copyLabel={t('common.copy')} wrap />
        <Group>
          <Button size="xs" variant="default" onClick={onDone}>
            {t('users.passwordDone')}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
