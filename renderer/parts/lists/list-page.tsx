import type { ReactNode } from 'react';
import { Button, Text } from '../../ui/kit.ts';
import { Loaded, type Asked } from '../../ui/loaded.tsx';
import { Empty, Page } from '../../ui/page.tsx';
import { ListControls, ListPages, useListAddress, type ListControlsProps } from './list-controls.tsx';

interface Listed<Item> {
  readonly count: number;
  readonly results: readonly Item[];
}

interface ListPageProps<Item> {
  readonly title: string;
  readonly query: Asked<Listed<Item>>;
  /** What belongs here, and what to do, while there is nothing at all. */
  readonly empty: { readonly icon: ReactNode; readonly title: string; readonly text: string };
  /** The way to a new one: in the heading, or in the middle while there is none. */
  readonly create?: ReactNode;
  /** Other actions of the heading. */
  readonly actions?: ReactNode;
  /** Search, filters and order, with what to say where they find nothing. */
  readonly controls?: ListControlsProps & { readonly nothingFound: string; readonly clear?: string };
  /** Between the heading and the list. */
  readonly above?: ReactNode;
  /** The rows; dialogs beside them. */
  readonly children: (items: readonly Item[]) => ReactNode;
  readonly dialogs?: ReactNode;
}

/** All things of one kind, page by page. */
export function ListPage<Item>(props: ListPageProps<Item>) {
  const { title, query, empty, create, actions, controls, above, children, dialogs } = props;
  const { page: _page, sort: _sort, ...narrowing } = controls?.search ?? {};
  const isNarrowed = Object.values(narrowing).some((value) => value !== undefined && value !== '');
  const isEmpty = query.data?.count === 0;
  const hasNothing = isEmpty && !isNarrowed;
  return (
    <Page
      title={title}
      count={query.data?.count}
      strip={controls !== undefined && !hasNothing ? <ListControls {...controls} /> : undefined}
      footer={
        controls !== undefined ? <ListPages search={controls.search} count={query.data?.count ?? 0} /> : undefined
      }
      actions={
        <>
          {!hasNothing && create}
          {actions}
        </>
      }
    >
      {above}
      <Loaded query={query}>
        {({ results }) =>
          hasNothing ? (
            <Empty {...empty} action={create} />
          ) : isEmpty ? (
            <NothingFound {...controls} />
          ) : (
            children(results)
          )
        }
      </Loaded>
      {dialogs}
    </Page>
  );
}

function NothingFound({ search = {}, nothingFound, clear }: Partial<NonNullable<ListPageProps<unknown>['controls']>>) {
  const change = useListAddress(search);
  const nothing = Object.fromEntries(Object.keys(search).map((key) => [key, undefined]));
  return (
    <Text c="dimmed">
      {nothingFound}{' '}
      {clear !== undefined && (
        <Button variant="subtle" size="compact-sm" onClick={() => change(nothing)}>
          {clear}
        </Button>
      )}
    </Text>
  );
}
