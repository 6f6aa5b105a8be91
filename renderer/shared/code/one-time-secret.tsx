import { IconKey } from '@tabler/icons-react';
import { useText } from '../../i18n/index.ts';
import { Alert, Group, SmallButton, Stack, Text } from '../../ui/kit.ts';
import { CodeBlock } from './code-view.tsx';

/** Random bytes in base64url. */
export const randomText = (byteCount: number): string =>
  btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(byteCount))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

interface OneTimeSecretProps {
  readonly title: string;
  readonly text: string;
  readonly value: string;
  readonly name: string;
  readonly done: string;
  readonly onDone: () => void;
  readonly role?: 'alert' | 'status';
  readonly mb?: number;
}

/** A secret that is shown once, because the service stores only its hash. */
export function OneTimeSecret({ title, text, value, name, done, onDone, role = 'alert', mb = 0 }: OneTimeSecretProps) {
  const t = useText();
  return (
    <Alert variant="default" mb={mb} icon={<IconKey size={18} />} title={title} role={role}>
      <Stack gap={8} align="stretch">
        <Text fz="sm">{text}</Text>
        <CodeBlock text={value} label={name} copyLabel={t('common.copy')} wrap />
        <Group>
          <SmallButton onClick={onDone}>{done}</SmallButton>
        </Group>
      </Stack>
    </Alert>
  );
}
