import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { useQuery, useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { SshKey, GitHost, GitLoss } from '../../../../preload/contract/schema/git.ts';
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
  Code,
  Hint,
} from '../../../ui/kit.ts';
import { Loaded } from '../../../ui/loaded.tsx';
import type { Exchange } from './use-exchange.ts';
import { FormDialog } from '../../../ui/form.tsx';
import { reasonText, typeText, ReportSection } from '../../../shared/dataset/report-view.tsx';

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

interface HostDialogProps {
  readonly host: GitHost;
  readonly onConfirm: (fingerprint: string) => Promise<void>;
  readonly onClose: () => void;
}

/** Shows a server's host keys for confirmation before anything is sent. */
export function HostDialog({ host, onConfirm, onClose }: HostDialogProps) {
  const t = useText();
  const confirm = useMutation({ mutationFn: () => onConfirm(host.offered[0]?.fingerprint ?? '') });
  const isOther = host.state === 'changed';
  const name = host.port === 22 ? host.host : `${host.host}:${host.port}`;
  return (
    <FormDialog
      title={isOther ? t('git.hostOtherTitle', { host: name }) : t('git.hostTitle')}
      submit={t('git.hostConfirm')}
      change={confirm}
      onClose={onClose}
    >
      <Text fz="sm">{isOther ? t('git.hostOtherText') : t('git.hostText', { host: name })}</Text>
      <Stack gap={4}>
        {host.offered.map(({ type, fingerprint }) => (
          <div key={fingerprint}>
            <Hint>{type}</Hint>
            <Code>{fingerprint}</Code>
          </div>
        ))}
      </Stack>
    </FormDialog>
  );
}

interface LossesDialogProps {
  readonly format: string;
  readonly losses: readonly GitLoss[];
  readonly onAccept: () => void;
  readonly onClose: () => void;
}

/** Lists data that the copy cannot contain, before the first push. */
export function LossesDialog({ format, losses, onAccept, onClose }: LossesDialogProps) {
  const t = useText();
  return (
    <FormDialog
      title={t('git.lossesTitle', { format })}
      size="lg"
      submit={t('git.pushAnyway')}
      onSubmit={onAccept}
      onClose={onClose}
    >
      <Text fz="sm">{t('git.lossesText', { format })}</Text>
      <LossTable losses={losses} />
    </FormDialog>
  );
}

function LossTable({ losses }: { readonly losses: readonly GitLoss[] }) {
  const t = useText();
  return (
    <ReportSection
      title={t('report.dropped')}
      heads={[t('report.type'), t('report.label'), t('report.rule'), t('report.count')]}
      rows={losses.map(({ type, label, rule, count }) => [typeText(t, type), label, reasonText(t, rule), count])}
    />
  );
}
