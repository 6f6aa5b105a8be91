import { IconSearch } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState, type ReactNode } from 'react';
import { useText } from '../../i18n/index.ts';
import { Group, Pagination, Select, TextInput, useDebouncedValue } from '../../ui/kit.ts';

export const listPageSize = 20;

/** What the address says about a list. */
export interface ListAddress {
  readonly page?: number | undefined;
  readonly q?: string | undefined;
  readonly sort?: string | undefined;
}

/** What the service is asked for. */
export const listOf = ({ page = 1, q = '', sort = '-id' }: ListAddress) => ({
  page,
  pageSize: listPageSize,
  search: q,
  sort,
});

/** Changes page, search or order of a list in the address. */
export function useListAddress<Address extends ListAddress>(address: Address) {
  const navigate = useNavigate();
  return (change: Partial<Address>): void => {
    const next = { ...address, ...change };
    const kept = Object.entries(next).filter(
      ([key, value]) => value !== undefined && value !== '' && !(key === 'page' && value === 1),
    );
    void navigate({ to: '.', search: Object.fromEntries(kept), replace: change.page === undefined });
  };
}

export interface ListControlsProps {
  readonly search: ListAddress;
  /** The first is the one that nobody has to choose. */
  readonly sorts: readonly { readonly value: string; readonly label: string }[];
  readonly placeholder: string;
  /** Filters between the search box and the order. */
  readonly filters?: ReactNode;
  readonly searchWidth?: number;
}

export function ListControls({ search, sorts, placeholder, filters, searchWidth = 320 }: ListControlsProps) {
  const t = useText();
  const change = useListAddress(search);
  const [text, setText] = useState(search.q ?? '');
  const [settled] = useDebouncedValue(text, 250);
  useEffect(() => {
    if (settled !== (search.q ?? '')) change({ q: settled, page: 1 });
    // oxlint-disable-next-line react/exhaustive-deps -- only a settled text starts a search, not another address
  }, [settled]);
  useEffect(() => {
    // Filters cleared, or a step back: the box follows the address, unless the address follows the box.
    if ((search.q ?? '') !== settled) setText(search.q ?? '');
    // oxlint-disable-next-line react/exhaustive-deps -- only another address changes the box
  }, [search.q]);
  return (
    <Group gap="sm" py={8} flex={1}>
      <TextInput
        size="xs"
        w={searchWidth}
        leftSection={<IconSearch size={14} />}
        placeholder={placeholder}
        aria-label={placeholder}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {filters}
      <Select
        size="xs"
        w={filters === undefined ? 168 : 144}
        aria-label={t('tasks.sort')}
        data={[...sorts]}
        value={search.sort ?? sorts[0]?.value ?? null}
        allowDeselect={false}
        onChange={(value) => change({ sort: value === sorts[0]?.value ? undefined : (value ?? undefined), page: 1 })}
      />
    </Group>
  );
}

interface ListPagesProps {
  readonly search: ListAddress;
  readonly count: number;
}

export function ListPages({ search, count }: ListPagesProps) {
  const t = useText();
  const change = useListAddress(search);
  const total = Math.ceil(count / listPageSize);
  const first = ((search.page ?? 1) - 1) * listPageSize + 1;
  return (
    <>
      <span>
        {count > 0 && t('lists.range', { first, last: Math.min(first + listPageSize - 1, count), total: count })}
      </span>
      {total > 1 && (
        <Pagination
          ml="auto"
          size="xs"
          total={total}
          value={search.page ?? 1}
          onChange={(page) => change({ page })}
          aria-label={t('lists.pages')}
          getItemProps={(page) => ({ 'aria-label': t('lists.page', { page }) })}
          getControlProps={(control) => ({
            'aria-label': t(control === 'previous' ? 'lists.previous' : 'lists.next'),
          })}
        />
      )}
    </>
  );
}
