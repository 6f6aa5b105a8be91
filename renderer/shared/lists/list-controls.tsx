import { IconAdjustmentsHorizontal, IconFilter, IconFilterFilled } from '@tabler/icons-react';
import { type ReactNode, useEffect, useState } from 'react';
import { useText } from '../../i18n/index.ts';
import {
  ActionIcon,
  Button,
  Checkbox,
  Hint,
  Pagination,
  Popover,
  Stack,
  useDebouncedValue,
  ChoiceField,
} from '../../ui/kit.ts';
import { SearchField } from '../../ui/fields.tsx';
import type { Column } from './columns.tsx';
import { FilterCard } from './filter/filter-card.tsx';
import { FilterChips, useListWords } from './filter/filter-chips.tsx';
import type { ListField } from './filter/list-filter.ts';
import {
  type ListName,
  type ListView,
  useListSettings,
  type ListAddress,
  listPageSize,
  useListAddress,
} from './list-address.ts';
import classes from './lists.module.css';
import { ViewChanges, ViewTabs } from './views.tsx';

type Listed = Pick<Column<unknown>, 'key' | 'name' | 'from' | 'isExtra'>;

interface DisplayButtonProps {
  readonly list: ListName;
  readonly columns: readonly Listed[];
}

function DisplayButton({ list, columns }: DisplayButtonProps) {
  const t = useText();
  const [kept, setKept] = useListSettings(list);
  const isWide = globalThis.innerWidth >= 1600;
  const isShown = ({ key, from, isExtra = false }: Listed): boolean =>
    kept.columns[key] ?? (!isExtra && (from !== 'wide' || isWide));
  return (
    <Popover position="bottom-end" trapFocus>
      <Popover.Target>
        <ActionIcon variant="default" size={28} aria-label={t('lists.display.title')} title={t('lists.display.title')}>
          <IconAdjustmentsHorizontal size={16} stroke={1.6} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('lists.display.title')}>
        <Stack gap={8} align="flex-start">
          <Hint fw={500}>{t('lists.display.columns')}</Hint>
          {columns.map((column) => (
            <Checkbox
              key={column.key}
              size="xs"
              label={column.name}
              checked={isShown(column)}
              onChange={(checked) => setKept({ ...kept, columns: { ...kept.columns, [column.key]: checked } })}
            />
          ))}
          <Button
            size="compact-xs"
            variant="subtle"
            color="gray"
            ml={-8}
            onClick={() => setKept({ ...kept, columns: {} })}
          >
            {t('lists.display.usual')}
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

export interface ListControlsProps {
  readonly list: ListName;
  readonly search: ListAddress;
  readonly fields: readonly ListField[];
  readonly sorts: readonly { readonly value: string; readonly label: string }[];
  /** Placeholder of the search box; undefined hides the box. */
  readonly placeholder?: string;
  readonly views?: readonly ListView[];
  readonly columns?: readonly Listed[];
}

function SearchBox({ search, placeholder }: { readonly search: ListAddress; readonly placeholder: string }) {
  const change = useListAddress(search);
  const [text, setText] = useState(search.q ?? '');
  const [settled] = useDebouncedValue(text, 250);
  useEffect(() => {
    if (settled !== (search.q ?? '')) change({ q: settled, page: 1 });
    // oxlint-disable-next-line react/exhaustive-deps -- only a settled text starts a search, not another address
  }, [settled]);
  useEffect(() => {
    // After cleared filters or browser navigation the box follows the address, unless the address follows the box.
    if ((search.q ?? '') !== settled) setText(search.q ?? '');
    // oxlint-disable-next-line react/exhaustive-deps -- only another address changes the box
  }, [search.q]);
  return <SearchField className={classes.search} label={placeholder} value={text} onChange={setText} />;
}

type Card = 'closed' | 'open' | 'adding';

interface FilterButtonProps {
  readonly search: ListAddress;
  readonly words: ReturnType<typeof useListWords>;
  readonly card: Card;
  readonly onCard: (card: Card) => void;
}

function FilterButton({ search: { filter }, search, words, card, onCard }: FilterButtonProps) {
  const t = useText();
  const change = useListAddress(search);
  const isOn = filter !== undefined;
  return (
    <div className={classes.filterPlace}>
      <ActionIcon
        variant={isOn ? 'light' : 'default'}
        size={28}
        data-filter-button
        aria-label={t('lists.filter.title')}
        title={t('lists.filter.title')}
        aria-expanded={card !== 'closed'}
        aria-haspopup="dialog"
        onClick={() => onCard(card === 'closed' ? 'open' : 'closed')}
      >
        {isOn ? <IconFilterFilled size={15} /> : <IconFilter size={16} stroke={1.6} />}
      </ActionIcon>
      {card !== 'closed' && (
        <FilterCard
          filter={filter}
          words={words}
          isAdding={card === 'adding'}
          onChange={(next) => change({ filter: next, page: 1 })}
          onClose={() => onCard('closed')}
        />
      )}
    </div>
  );
}

/** Controls for the list's toolbar, and active filters for the line below; null if there are none. */
export function useListControls(props: ListControlsProps): { readonly strip: ReactNode; readonly line: ReactNode } {
  const t = useText();
  const { list, search, fields, sorts, placeholder, views, columns } = props;
  const change = useListAddress(search);
  const words = useListWords(fields);
  const [card, setCard] = useState<Card>('closed');
  const viewProps = { list, search, ...(views === undefined ? {} : { usual: views }) };
  const isNarrowed = search.filter !== undefined || search.view !== undefined || search.sort !== undefined;
  return {
    strip: (
      <div className={classes.controls}>
        <ViewTabs {...viewProps} />
        {placeholder !== undefined && <SearchBox search={search} placeholder={placeholder} />}
        <FilterButton search={search} words={words} card={card} onCard={setCard} />
        <ChoiceField
          size="xs"
          w={152}
          aria-label={t('tasks.sort')}
          comboboxProps={{ width: 200, position: 'bottom-end', shadow: 'md' }}
          data={[...sorts]}
          value={search.sort ?? sorts[0]?.value ?? null}
          onChange={(value) => change({ sort: value === sorts[0]?.value ? undefined : value, page: 1 })}
        />
        {columns !== undefined && <DisplayButton list={list} columns={columns} />}
      </div>
    ),
    line: isNarrowed ? (
      <div className={classes.line}>
        <FilterChips
          filter={search.filter}
          words={words}
          onChange={(filter) => change({ filter, page: 1 })}
          onEdit={() => setCard('open')}
          onAdd={() => setCard('adding')}
        />
        <ViewChanges {...viewProps} />
      </div>
    ) : null,
  };
}

interface ListPagesProps {
  readonly search: ListAddress;
  readonly count: number;
  readonly legend?: ReactNode;
}

export function ListPages({ search, count, legend }: ListPagesProps) {
  const t = useText();
  const change = useListAddress(search);
  const total = Math.ceil(count / listPageSize);
  const first = ((search.page ?? 1) - 1) * listPageSize + 1;
  return (
    <>
      <span>
        {count > 0 && t('lists.range', { first, last: Math.min(first + listPageSize - 1, count), total: count })}
      </span>
      {count > 0 && legend}
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
