import { IconCloud, IconPencil, IconRefresh } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { RemoteServer } from '../../../preload/contract/schema/remotes.ts';
import { messageOf } from '../../api/api-error.ts';
import { remoteQueries } from '../../api/remote-queries.ts';
import { useText } from '../../i18n/index.ts';
import { formatBytes } from '../../shared/format-text.ts';
import { NewButton, PlainListPage } from '../../shared/lists/list-page.tsx';
import { Hint, Menu } from '../../ui/kit.ts';
import { List, Row, RowNote } from '../../ui/list.tsx';
import { DeleteItem, MoreMenu } from '../../ui/more-menu.tsx';
import { StateDot } from '../../ui/state-dot.tsx';
import { ServerDialog, useDisconnect } from './server-dialog.tsx';

export function ServersPage() {
  const t = useText();
  const navigate = useNavigate();
  const [edited, setEdited] = useState<RemoteServer | 'new' | null>(null);
  const { data, error, refetch } = useQuery({ ...remoteQueries.servers(), refetchOnMount: 'always' });
  const query = { data: data && { count: data.results.length, results: data.results }, error, refetch };
  const used = data?.results[0]?.frame_bytes ?? 0;
  const done = (server: RemoteServer): void => {
    if (edited === 'new') void navigate({ to: '/remote/$serverId', params: { serverId: String(server.id) } });
    setEdited(null);
  };
  return (
    <PlainListPage
      words="remote"
      icon={IconCloud}
      query={query}
      create={<NewButton text={t('remote.connect')} onClick={() => setEdited('new')} />}
      dialogs={
        edited !== null && (
          <ServerDialog server={edited === 'new' ? null : edited} onDone={done} onClose={() => setEdited(null)} />
        )
      }
    >
      {(servers) => (
        <>
          <List>
            {servers.map((server) => (
              <ServerRow key={server.id} server={server} onEdit={() => setEdited(server)} />
            ))}
          </List>
          {used > 0 && <Hint mt={12}>{t('remote.usedSpace', { size: formatBytes(used) })}</Hint>}
        </>
      )}
    </PlainListPage>
  );
}

function ServerRow({ server, onEdit }: { readonly server: RemoteServer; readonly onEdit: () => void }) {
  const t = useText();
  const check = useQuery({ ...remoteQueries.check(server.id), staleTime: 60_000, refetchOnWindowFocus: false });
  const disconnect = useDisconnect();
  const { name, address, version, username } = check.data ?? server;
  const state = check.isFetching ? 'checking' : check.error === null ? 'reachable' : 'failed';
  const tones = { checking: 'busy', reachable: 'ok', failed: 'bad' } as const;
  return (
    <Row
      lead={<StateDot tone={tones[state]} title={t(`remote.check.${state}`)} />}
      name={name}
      title={name}
      meta={[
        address,
        t('remote.version', { version }),
        username,
        server.job_count > 0 ? t('remote.jobsOut', { count: server.job_count }) : null,
        t(`remote.check.${state}`),
      ]}
      note={check.error !== null && !check.isFetching && <RowNote text={messageOf(check.error)} failed whole />}
      renderLink={(row) => <Link to="/remote/$serverId" params={{ serverId: String(server.id) }} {...row} />}
    >
      <MoreMenu of="row" label={t('remote.moreOf', { name })}>
        <Menu.Item leftSection={<IconRefresh size={16} />} onClick={() => void check.refetch()}>
          {t('remote.checkNow')}
        </Menu.Item>
        <Menu.Item leftSection={<IconPencil size={16} />} onClick={onEdit}>
          {t('remote.edit')}
        </Menu.Item>
        <DeleteItem onClick={() => void disconnect(server)}>{t('remote.disconnect')}</DeleteItem>
      </MoreMenu>
    </Row>
  );
}
