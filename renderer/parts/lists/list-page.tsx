import { Fragment, type ReactNode } from 'react';
import { useText } from '../../i18n/index.ts';
import { Button, Text } from '../../ui/kit.ts';
import { Loaded, type Asked } from '../../ui/loaded.tsx';
import { Empty, Page } from '../../ui/page.tsx';
import { ListPages, useListControls, type ListControlsProps } from './list-controls.tsx';
import { useListAddress, type ListAddress } from './list-address.ts';

interface Listed<Item> {
  readonly count: number;
  readonly results: readonly Item[];
}

interface PlainListProps<Item> {
  readonly title: string;
  readonly query: Asked<Listed<Item>>;
  /** What belongs here, and what to do, while there is nothing at all. */
  readonly empty: { readonly icon: ReactNode; readonly title: string; readonly text: string };
  /** The way to a new one: in the heading, or in the middle while there is none. */
  readonly create?: ReactNode;
  /** Other actions of the heading. */
  readonly actions?: ReactNode;
  /** Between the heading and the list. */
  readonly above?: ReactNode;
  /** The rows; dialogs beside them. */
  readonly children: (items: readonly Item[]) => ReactNode;
  readonly dialogs?: ReactNode;
}

interface ListPageProps<Item> extends PlainListProps<Item> {
  readonly controls: ListControlsProps;
  /** Beside the pages, in the footer. */
  readonly legend?: ReactNode;
}

/** Few things of one kind, all at once. */
export function PlainListPage<Item>(props: PlainListProps<Item>) {
  const { title, query, empty, create, actions, above, children, dialogs } = props;
  const isEmpty = query.data?.count === 0;
  return (
    <Page
      title={title}
      count={query.data?.count}
      actions={
        <>
          {!isEmpty && create}
          {actions}
        </>
      }
    >
      {above}
      <Loaded query={query}>
        {({ results }) => (isEmpty ? <Empty {...empty} action={create} /> : children(results))}
      </Loaded>
      {dialogs}
    </Page>
  );
}

const isNarrowed = ({ q, filter }: ListAddress): boolean => q !== undefined || filter !== undefined;

/** What was chosen of a list stays chosen on its other pages, and not in another list. */
export const askedKey = ({ q, filter }: ListAddress): string => JSON.stringify([q, filter]);

/** All things of one kind, page by page: searched, filtered, in views that are kept. */
export function ListPage<Item>(props: ListPageProps<Item>) {
  const { title, query, empty, create, actions, above, children, dialogs, controls, legend } = props;
  const { strip, line } = useListControls(controls);
  const isEmpty = query.data?.count === 0;
  const hasNothing = isEmpty && !isNarrowed(controls.search);
  return (
    <Page
      title={title}
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
            <Empty {...empty} action={create} />
          ) : isEmpty ? (
            <NothingFound search={controls.search} />
          ) : (
            <Fragment key={askedKey(controls.search)}>{children(results)}</Fragment>
          )
        }
      </Loaded>
      {dialogs}
    </Page>
  );
}

/** Instead of a list that everything was filtered out of. */
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
