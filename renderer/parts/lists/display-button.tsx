import { IconAdjustmentsHorizontal } from '@tabler/icons-react';
import { useText } from '../../i18n/index.ts';
import { ActionIcon, Button, Checkbox, Hint, Popover, Stack } from '../../ui/kit.ts';
import { useKeptList, type ListName } from './kept-list.ts';

interface DisplayButtonProps {
  readonly list: ListName;
  readonly columns: readonly {
    readonly key: string;
    readonly name: string;
    readonly from?: 'middle' | 'wide';
    readonly isExtra?: boolean;
  }[];
}

/** Which columns are shown. */
export function DisplayButton({ list, columns }: DisplayButtonProps) {
  const t = useText();
  const [kept, setKept] = useKeptList(list);
  const isWide = globalThis.innerWidth >= 1600;
  const isShown = ({ key, from, isExtra = false }: DisplayButtonProps['columns'][number]): boolean =>
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
              onChange={({ currentTarget: { checked } }) =>
                setKept({ ...kept, columns: { ...kept.columns, [column.key]: checked } })
              }
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
