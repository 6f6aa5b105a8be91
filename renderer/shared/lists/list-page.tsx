import { IconPlus, type Icon } from '@tabler/icons-react';
import { Fragment, type ReactNode } from 'react';
import { useNavigate } from '@tanstack/react-router';
import { useText } from '../../i18n/index.ts';
import { Button, Text } from '../../ui/kit.ts';
import { Loaded, type LoadableQuery } from '../../ui/loaded.tsx';
import { Empty, Page } from '../../ui/page.tsx';
import { ListPages, useListControls, type ListControlsProps } from './list-controls.tsx';
import { useListAddress, type ListAddress } from './list-address.ts';

interface Listed<Item> {
  readonly count: number;
  readonly results: readonly Item[];
}

interface PlainListProps<Item> {
  /** Namespace of the texts for title and empty state. */
  readonly words:
    | 'batches'
    | 'buckets'
    | 'jobs'
    | 'models'
    | 'organizations'
    | 'projects'
    | 'remote'
    | 'requests'
    | 'tasks'
    | 'webhooks';
  readonly icon: Icon;
  readonly emptyText?: string;
  readonly query: LoadableQuery<Listed<Item>>;
  /** Create button: in the heading, or in the centre of an empty list. */
  readonly create?: ReactNode;
  readonly actions?: ReactNode;
  readonly above?: ReactNode;
  readonly children: (items: readonly Item[]) => ReactNode;
  readonly dialogs?: ReactNode;
}

interface ListPageProps<Item> extends PlainListProps<Item> {
  readonly controls: ListControlsProps;
  readonly legend?: ReactNode;
}

export const NewButton = ({ text, onClick }: { readonly text: string; readonly onClick: () => void }) => (
  <Button leftSection={<IconPlus size={16} />} onClick={onClick}>
    {text}
  </Button>
);

function useNothingYet<Item>({ words, icon: Sign, emptyText, create }: PlainListProps<Item>): ReactNode {
  const t = useText();
  return (
    <Empty
      icon={<Sign size={48} stroke={1.25} />}
      title={t(`${words}.emptyTitle`)}
      text={emptyText ?? t(`${words}.emptyText`)}
      action={create}
    />
  );
}

export function PlainListPage<Item>(props: PlainListProps<Item>) {
  const { words, query, create, actions, above, children, dialogs } = props;
  const t = useText();
  const nothingYet = useNothingYet(props);
  const isEmpty = query.data?.count === 0;
  return (
    <Page
      title={t(`${words}.title`)}
      count={query.data?.count}
      actions={
        <>
          {!isEmpty && create}
          {actions}
        </>
      }
    >
      {above}
      <Loaded query={query}>{({ results }) => (isEmpty ? nothingYet : children(results))}</Loaded>
      {dialogs}
    </Page>
  );
}

const isNarrowed = ({ q, filter }: ListAddress): boolean => q !== undefined || filter !== undefined;

/** Key of the selection, which persists across pages of a list but not across lists. */
export const listKey = ({ q, filter }: ListAddress): string => JSON.stringify([q, filter]);

export function ListPage<Item>(props: ListPageProps<Item>) {
  const { words, query, create, actions, above, children, dialogs, controls, legend } = props;
  const t = useText();
  const nothingYet = useNothingYet(props);
  const { strip, line } = useListControls(controls);
  const isEmpty = query.data?.count === 0;
  const hasNothing = isEmpty && !isNarrowed(controls.search);
  return (
    <Page
      title={t(`${words}.title`)}
      count={query.data?.count}
      strip={hasNothing ? undefined : strip}
      footer={<ListPages search={controls.search} count={query.data?.count ?? 0} legend={legend} />}
      actions={
        <>
          {!hasNothing && create}
          {actions}
        </>
      }
    >
      {above}
      {!hasNothing && line}
      <Loaded query={query}>
        {({ results }) =>
          hasNothing ? (
            nothingYet
          ) : isEmpty ? (
            <NothingFound search={controls.search} />
          ) : (
            <Fragment key={listKey(controls.search)}>{children(results)}</Fragment>
          )
        }
      </Loaded>
      {dialogs}
    </Page>
  );
}

export function NothingFound({ search }: { readonly search: ListAddress }) {
  const t = useText();
  const change = useListAddress(search);
  return (
    <Text c="dimmed" mt={12}>
      {t('lists.nothingMatches')}{' '}
      <Button
        variant="subtle"
        size="compact-sm"
        onClick={() => change({ q: undefined, filter: undefined, view: undefined, page: 1 })}
      >
        {t('lists.clearAll')}
      </Button>
    </Text>
  );
}

interface ToListProps {
  readonly to: '/tasks' | '/projects' | '/models' | '/organizations' | '/remote' | '/webhooks';
  readonly title: string;
}

export function ToList({ to, title }: ToListProps) {
  const t = useText();
  const navigate = useNavigate();
  return <Button onClick={() => void navigate({ to })}>{t('lists.open', { list: title })}</Button>;
}
