import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { SshKey } from '../../../../preload/contract/schema/git.ts';
import { gitQueries } from '../../../api/git-queries.ts';
import { useText } from '../../../i18n/index.ts';
import {
  Button,
  Dimmed,
  Group,
  PasswordInput,
  QuietButton,
  Stack,
  Text,
  TextInput,
  ChoiceField,
} from '../../../ui/kit.ts';
import { Loaded } from '../../../ui/loaded.tsx';
import type { Exchange } from './use-exchange.ts';

/** Pull and push with the SSH key. The keys must be known before anything is sent. */
export function ExchangeForm({ exchange }: { readonly exchange: Exchange }) {
  const keys = useQuery({ ...gitQueries.keys(), refetchOnMount: 'always', enabled: exchange.isSsh });
  if (!exchange.isSsh) return <Exchanged exchange={exchange} keys={[]} />;
  return <Loaded query={keys}>{(all) => <Exchanged exchange={exchange} keys={all} />}</Loaded>;
}

interface ExchangedProps {
  readonly exchange: Exchange;
  readonly keys: readonly SshKey[];
}

function Exchanged({ exchange, keys }: ExchangedProps) {
  const t = useText();
  const [keyId, setKeyId] = useState<number | null>(null);
  const [passphrase, setPassphrase] = useState('');
  const [message, setMessage] = useState('');
  const key = keys.find(({ id }) => id === keyId) ?? keys[0];
  const { running } = exchange;
  if (exchange.isSsh && keys.length === 0)
    return (
      <Text fz="sm">
        {t('git.noKeys')}{' '}
        <Link to="/settings/$section" params={{ section: 'ssh-keys' }}>
          {t('git.toKeys')}
        </Link>
      </Text>
    );
  const access = {
    ...(exchange.isSsh && key ? { key_id: key.id } : {}),
    ...(key?.has_passphrase === true && passphrase !== '' ? { passphrase } : {}),
  };
  const isReady =
    running === null && (!exchange.isSsh || (key !== undefined && (!key.has_passphrase || passphrase !== '')));
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) exchange.push(access, message.trim(), () => setMessage(''));
      }}
    >
      <Stack gap="sm">
        {exchange.isSsh && key && keys.length + Number(key.has_passphrase) > 1 && (
          <Group gap="sm" grow align="flex-start" maw={640}>
            <ChoiceField
              label={t('git.key')}
              data={keys.map(({ id, name }) => ({ value: String(id), label: name }))}
              value={String(key.id)}
              onChange={(value) => setKeyId(Number(value))}
            />
            {key.has_passphrase && (
              <PasswordInput
                label={t('git.passphrase', { name: key.name })}
                autoComplete="off"
                value={passphrase}
                onChange={setPassphrase}
              />
            )}
          </Group>
        )}
        <Group gap="sm" align="flex-end">
          <QuietButton
            leftSection={<IconArrowDown size={16} />}
            disabled={!isReady}
            onClick={() => exchange.pull(access)}
          >
            {t('git.pull')}
          </QuietButton>
          <TextInput
            style={{ flex: 1 }}
            maw={400}
            aria-label={t('git.message')}
            placeholder={`${t('git.message')} (${t('git.messageHint')})`}
            value={message}
            onChange={setMessage}
          />
          <Button type="submit" leftSection={<IconArrowUp size={16} />} disabled={!isReady}>
            {t('git.push')}
          </Button>
        </Group>
        {running !== null && (
          <Group gap="sm" role="status">
            <Dimmed>{t(running === 'pull' ? 'git.pulling' : 'git.pushing')}</Dimmed>
            <Button size="compact-xs" variant="default" onClick={exchange.cancel}>
              {t('git.cancel')}
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  );
}
