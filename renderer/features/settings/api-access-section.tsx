import { IconKey, IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { z } from 'zod';
import type { accessTokenSchema } from '../../../preload/contract/schema/server.ts';
import { call } from '../../api/client.ts';
import { peopleQueries } from '../../api/people-queries.ts';
import { useChange } from '../../shared/use-change.ts';
import { useText } from '../../i18n/index.ts';
import { CopyIconButton, CodeBlock } from '../../shared/code/code-view.tsx';
import { OneTimeSecret } from '../../shared/code/one-time-secret.tsx';
import { formatDate, formatWhen, isPast } from '../../shared/format-text.ts';
import { ask } from '../../ui/confirm.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Anchor, Button, Code, Group, PartName, Text, Title, Hint, SegmentedControl, Stack } from '../../ui/kit.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { notify } from '../../ui/notify.ts';
import { Empty } from '../../ui/page.tsx';
import { SectionHead } from '../../ui/section-head.tsx';
import { DataTable, RowActions } from '../../ui/table.tsx';
import { type MadeToken, NewTokenDialog } from './new-token-dialog.tsx';
import { useOrganizationContext } from '../../api/organization-context.ts';
import { commandLines, type Shell, type Tool } from './command-lines.ts';

const ownShell = (): Shell => (navigator.userAgent.includes('Windows') ? 'windows' : 'unix');

/** Command lines with the real address, and with the token if it was just created. */
function CommandPanel({ token }: { readonly token: string | null }) {
  const t = useText();
  const [tool, setTool] = useState<Tool>('cli');
  const [shell, setShell] = useState<Shell>(ownShell);
  const organization = useOrganizationContext((state) => state.slug) ?? '';
  const address = window.location.origin;
  const lines = commandLines(tool, shell, {
    address,
    organization,
    token: token ?? t('settings.api.tokenPlaceholder'),
  });
  const tools = (['cli', 'sdk', 'curl'] as const).map((value) => ({ value, label: t(`settings.api.${value}`) }));
  const shells = (['unix', 'windows'] as const).map((value) => ({ value, label: t(`settings.api.${value}`) }));
  return (
    <section>
      <SectionHead title={t('settings.api.commands')}>
        {t('settings.api.commandsText')}
        {token !== null && ` ${t('settings.api.commandsWithToken')}`}
      </SectionHead>
      <Group justify="space-between" mb={12}>
        <SegmentedControl
          aria-label={t('settings.api.tool')}
          data={tools}
          value={tool}
          // The values come from the list above, here and below.
          onChange={(value) => setTool(value as Tool)}
        />
        <SegmentedControl
          aria-label={t('settings.api.shell')}
          data={shells}
          value={shell}
          onChange={(value) => setShell(value as Shell)}
        />
      </Group>
      <Stack gap={12}>
        {lines.map(({ step, text }) => (
          <div key={step}>
            <Hint mb={4}>{t(`settings.api.${step}`)}</Hint>
            <CodeBlock
              text={text}
              label={t(`settings.api.${step}`)}
              copyLabel={`${t('common.copy')}: ${t(`settings.api.${step}`)}`}
            />
          </div>
        ))}
      </Stack>
    </section>
  );
}

type AccessToken = z.infer<typeof accessTokenSchema>;

const Expiry = ({ date }: { readonly date: string | null }) => {
  const t = useText();
  if (date === null) return t('settings.api.never');
  if (!isPast(date)) return formatDate(date);
  return (
    <Text span inherit c="red">
      {t('settings.api.expired', { when: formatWhen(date) })}
    </Text>
  );
};

/** The user's access tokens without values, which are not stored. */
function TokenList({ tokens }: { readonly tokens: readonly AccessToken[] }) {
  const t = useText();
  const revoke = useChange(({ id }: AccessToken) => call('deleteAccessToken', { params: { id } }), {
    reloads: ['access-tokens'],
    done: (_, { name }) => notify.success(t('settings.api.revoked', { name })),
    failed: ({ name }) => name,
  });
  const askAndRevoke = async (token: AccessToken): Promise<void> => {
    const { name } = token;
    const confirm = t('settings.api.revoke');
    const title = t('settings.api.revokeTitle', { name });
    if (await ask({ title, text: t('settings.api.revokeText'), confirm })) revoke.mutate(token);
  };
  return (
    <DataTable
      label={t('settings.api.tokens')}
      columns={[
        t('settings.api.name'),
        t('settings.api.access'),
        t('settings.api.lastUsed'),
        t('settings.api.expires'),
      ]}
    >
      {tokens.map((token) => (
        <tr key={token.id}>
          <td>{token.name}</td>
          <td>{t(token.read_only ? 'settings.api.readOnly' : 'settings.api.readWrite')}</td>
          <td>{token.last_used_date === null ? t('settings.api.neverUsed') : formatWhen(token.last_used_date)}</td>
          <td>
            <Expiry date={token.expiry_date} />
          </td>
          <RowActions>
            {' '}
            <IconButton
              label={t('settings.api.revokeToken', { name: token.name })}
              icon={<IconTrash size={16} stroke={1.5} />}
              onClick={() => void askAndRevoke(token)}
            />
          </RowActions>
        </tr>
      ))}
    </DataTable>
  );
}

function Tokens({
  made,
  onMade,
}: {
  readonly made: MadeToken | null;
  readonly onMade: (made: MadeToken | null) => void;
}) {
  const t = useText();
  const [creating, setCreating] = useState(false);
  const tokens = useQuery({ ...peopleQueries.accessTokens(), refetchOnMount: 'always' });
  const create = (
    <Button size="xs" leftSection={<IconPlus size={14} />} onClick={() => setCreating(true)}>
      {t('settings.api.newToken')}
    </Button>
  );
  const isEmpty = tokens.data?.results.length === 0;
  return (
    <section>
      <Group justify="space-between" mb={12} mih={30}>
        <Title order={2}>{t('settings.api.tokens')}</Title>
        {!isEmpty && create}
      </Group>
      {made !== null && (
        <OneTimeSecret
          mb={12}
          title={t('settings.api.valueTitle', { name: made.name })}
          text={t('settings.api.valueText')}
          value={made.value}
          name={t('settings.api.value')}
          done={t('settings.api.valueDone')}
          onDone={() => onMade(null)}
        />
      )}
      <Loaded query={tokens}>
        {({ results }) =>
          results.length > 0 ? (
            <TokenList tokens={results} />
          ) : (
            <Empty
              icon={<IconKey size={40} stroke={1.25} />}
              title={t('settings.api.emptyTitle')}
              text={t('settings.api.emptyText')}
              action={create}
            />
          )
        }
      </Loaded>
      {creating && (
        <NewTokenDialog
          onClose={() => setCreating(false)}
          onMade={(token) => {
            setCreating(false);
            onMade(token);
          }}
        />
      )}
    </section>
  );
}

export function ApiAccessSection() {
  const t = useText();
  const [made, setMade] = useState<MadeToken | null>(null);
  const address = window.location.origin;
  return (
    <>
      <section>
        <SectionHead title={t('settings.api.title')}>{t('settings.api.intro')}</SectionHead>
        <Group gap={8}>
          <PartName>{t('settings.api.address')}</PartName>
          <Code fz={13}>{address}</Code>
          <CopyIconButton value={address} label={`${t('common.copy')}: ${t('settings.api.address')}`} />
          <Anchor href="/api/docs/" target="_blank" rel="noreferrer" fz="sm" ml="auto">
            {t('settings.api.documentation')}
          </Anchor>
        </Group>
      </section>
      <Tokens made={made} onMade={setMade} />
      <CommandPanel token={made?.value ?? null} />
    </>
  );
}
