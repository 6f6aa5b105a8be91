import { IconKey, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { peopleQueries } from '../../api/people-queries.ts';
import { useText } from '../../i18n/index.ts';
import { CopyIconButton } from '../../parts/code/copy-icon-button.tsx';
import { ShownOnce } from '../../parts/code/shown-once.tsx';
import { Anchor, Button, Code, Group, PartName, Title } from '../../ui/kit.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Empty } from '../../ui/page.tsx';
import { SectionHead } from '../../ui/section-head.tsx';
import { CommandPanel } from './command-panel.tsx';
import { NewTokenDialog, type MadeToken } from './new-token-dialog.tsx';
import { TokenList } from './token-list.tsx';

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
        <ShownOnce
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

/** How programs get in: the address, access tokens, and ready command lines. */
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
