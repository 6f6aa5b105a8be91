import { IconCloudOff, IconPencil, IconRefresh } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import {
  remoteItemKinds,
  type RemoteItem,
  type RemoteJob,
  type RemoteServer,
} from '../../../preload/contract/schema/remotes.ts';
import { remoteQueries } from '../../api/remote-queries.ts';
import { useText } from '../../i18n/index.ts';
import { jobFields, projectFields, taskFields } from '../../shared/lists/filter/list-filter.ts';
import { type ListAddress, listOf, listPageSize, useListAddress } from '../../shared/lists/list-address.ts';
import { ListPages, useListControls } from '../../shared/lists/list-controls.tsx';
import { NothingFound, ToList } from '../../shared/lists/list-page.tsx';
import { ExchangeCard } from '../../shared/remotes/exchange-card.tsx';
import { RemoteProgress } from '../../shared/remotes/remote-progress.tsx';
import { useChange } from '../../shared/use-change.ts';
import { ChoiceField, Hint, Menu, QuietButton, SegmentedControl } from '../../ui/kit.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { DeleteItem, MoreMenu } from '../../ui/more-menu.tsx';
import { Empty, Page } from '../../ui/page.tsx';
import { CheckedOutJobs } from './checked-out-jobs.tsx';
import { CheckoutDialog } from './checkout-dialog.tsx';
import { ItemTree } from './item-tree.tsx';
import classes from './item-tree.module.css';
import { ServerDialog, useDisconnect } from './server-dialog.tsx';

const views = ['project', 'task', 'job', 'out'] as const;
type View = (typeof views)[number];

export interface RemoteAddress extends ListAddress {
  readonly kind?: string | undefined;
  /** Slug of an organization of the server; `-` for personal work. */
  readonly org?: string | undefined;
  readonly state?: string | undefined;
}

export function ServerPage({ serverId, search }: { readonly serverId: number; readonly search: RemoteAddress }) {
  const t = useText();
  const servers = useQuery({ ...remoteQueries.servers(), refetchOnMount: 'always' });
  const jobs = useQuery({ ...remoteQueries.jobs(), refetchOnMount: 'always' });
  return (
    <Loaded query={servers} page={t('remote.title')}>
      {({ results }) => {
        const server = results.find(({ id }) => id === serverId);
        if (server === undefined) return <NoServer />;
        const own = (jobs.data?.results ?? []).filter(({ server_id: id }) => id === serverId);
        return <ServerView server={server} jobs={own} search={search} />;
      }}
    </Loaded>
  );
}

function NoServer() {
  const t = useText();
  return (
    <Page title={t('remote.title')}>
      <Empty
        icon={<IconCloudOff size={40} stroke={1.25} />}
        title={t('app.goneTitle')}
        text={t('app.goneText')}
        action={<ToList to="/remote" title={t('remote.title')} />}
      />
    </Page>
  );
}

interface ServerViewProps {
  readonly server: RemoteServer;
  readonly jobs: readonly RemoteJob[];
  readonly search: RemoteAddress;
}

const listFields = { project: projectFields, task: taskFields, job: jobFields } as const;

function ServerView({ server, jobs, search }: ServerViewProps) {
  const t = useText();
  const change = useListAddress(search);
  const [selected, setSelected] = useState<number | null>(null);
  const [checkedOut, setCheckedOut] = useState<RemoteItem | null>(null);
  const view: View = views.find((one) => one === search.kind) ?? 'project';
  const kind = view === 'out' ? 'project' : view;
  const fields = listFields[kind];
  const controls = useListControls({
    list: `remote-${kind}s`,
    search,
    fields,
    sorts: [
      { value: '-id', label: t('lists.sorts.newest') },
      { value: 'id', label: t('lists.sorts.oldest') },
      { value: '-updated_date', label: t('lists.sorts.changed') },
    ],
    placeholder: t('remote.search'),
  });
  const list = listOf(search, fields);
  const org = search.org === undefined ? undefined : search.org === '-' ? '' : search.org;
  const items = useQuery({
    ...remoteQueries.items(server.id, {
      kind,
      page: String(list.page),
      page_size: String(listPageSize),
      sort: list.sort,
      ...(list.search === '' ? {} : { search: list.search }),
      ...(list.filter === undefined ? {} : { filter: list.filter }),
      ...(org === undefined ? {} : { organization: org }),
    }),
    enabled: view !== 'out',
  });
  const shown = jobs.find(({ id }) => id === selected);
  return (
    <Page
      name={server.name}
      title={
        <>
          {server.name} <Hint span>{t('remote.version', { version: server.version })}</Hint>
        </>
      }
      crumbs={<Link to="/remote">{t('remote.title')}</Link>}
      actions={<ServerActions server={server} jobs={jobs} />}
      strip={view === 'out' ? undefined : controls.strip}
      footer={
        <>
          <RemoteProgress />
          {view !== 'out' && <ListPages search={search} count={items.data?.count ?? 0} />}
        </>
      }
    >
      <div className={classes.choices}>
        <SegmentedControl
          size="xs"
          aria-label={t('remote.show')}
          data={views.map((value) => ({
            value,
            label: value === 'out' ? `${t('remote.views.out')} ${jobs.length}` : t(`remote.views.${value}`),
          }))}
          value={view}
          onChange={(value) => change({ kind: value === 'project' ? undefined : value, filter: undefined, page: 1 })}
        />
        {view !== 'out' && (
          <OrganizationField
            serverId={server.id}
            value={search.org}
            onChange={(next) => change({ org: next, page: 1 })}
          />
        )}
      </div>
      {view !== 'out' && controls.line}
      <div className={classes.columns} data-side={shown !== undefined || undefined}>
        {view === 'out' ? (
          <CheckedOutJobs
            jobs={jobs}
            state={search.state}
            selected={selected}
            onState={(state) => change({ state })}
            onSelect={setSelected}
          />
        ) : (
          <Loaded query={items}>
            {({ results }) =>
              results.length > 0 ? (
                <div style={{ minWidth: 0 }}>
                  <ItemTree
                    items={results}
                    serverId={server.id}
                    org={org}
                    jobs={jobs}
                    selected={selected}
                    onSelect={setSelected}
                    onCheckOut={setCheckedOut}
                  />
                </div>
              ) : search.q !== undefined || search.filter !== undefined ? (
                <NothingFound search={search} />
              ) : (
                <Empty
                  icon={<IconCloudOff size={40} stroke={1.25} />}
                  title={t('remote.nothingTitle')}
                  text={t('remote.nothingText')}
                />
              )
            }
          </Loaded>
        )}
        {shown !== undefined && (
          <aside className={classes.side} aria-label={shown.name}>
            <ExchangeCard key={shown.id} job={shown} showsConflicts={false} />
          </aside>
        )}
      </div>
      {checkedOut !== null && (
        <CheckoutDialog serverId={server.id} item={checkedOut} onClose={() => setCheckedOut(null)} />
      )}
    </Page>
  );
}

interface OrganizationFieldProps {
  readonly serverId: number;
  readonly value: string | undefined;
  readonly onChange: (org: string | undefined) => void;
}

const everywhere = '*';

function OrganizationField({ serverId, value, onChange }: OrganizationFieldProps) {
  const t = useText();
  const found = useQuery(remoteQueries.items(serverId, { kind: remoteItemKinds[0], page_size: '999' }));
  const organizations = found.data?.results ?? [];
  return (
    <ChoiceField
      size="xs"
      w={200}
      aria-label={t('remote.organization')}
      data={[
        { value: everywhere, label: t('remote.everywhere') },
        { value: '-', label: t('organizations.personal') },
        ...organizations.map(({ slug, name }) => ({ value: slug ?? name, label: name })),
      ]}
      value={value ?? everywhere}
      onChange={(next) => onChange(next === everywhere ? undefined : next)}
    />
  );
}

function ServerActions({ server, jobs }: { readonly server: RemoteServer; readonly jobs: readonly RemoteJob[] }) {
  const t = useText();
  const client = useQueryClient();
  const navigate = useNavigate();
  const disconnect = useDisconnect();
  const [isEdited, setEdited] = useState(false);
  const out = jobs.filter(({ state }) => state === 'out');
  const compare = useChange(
    async () => {
      // One after the other, because each reads all annotations of a job.
      for (const { id } of out) await client.fetchQuery({ ...remoteQueries.comparison(id), staleTime: 0 });
    },
    { failed: t('remote.compareFailed') },
  );
  return (
    <>
      {out.length > 0 && (
        <QuietButton
          leftSection={<IconRefresh size={16} />}
          loading={compare.isPending}
          onClick={() => compare.mutate()}
        >
          {t('remote.compareAll')}
        </QuietButton>
      )}
      <MoreMenu of="page">
        <Menu.Item leftSection={<IconPencil size={16} />} onClick={() => setEdited(true)}>
          {t('remote.edit')}
        </Menu.Item>
        <DeleteItem
          onClick={() => void disconnect(server).then((gone) => (gone ? navigate({ to: '/remote' }) : undefined))}
        >
          {t('remote.disconnect')}
        </DeleteItem>
      </MoreMenu>
      {isEdited && <ServerDialog server={server} onDone={() => setEdited(false)} onClose={() => setEdited(false)} />}
    </>
  );
}
