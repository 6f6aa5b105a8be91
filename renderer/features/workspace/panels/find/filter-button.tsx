import { IconFilter, IconFilterFilled, IconX } from '@tabler/icons-react';
import { useText } from '../../../../i18n/index.ts';
import { IconButton } from '../../../../ui/icon-button.tsx';
import { Group, Text } from '../../../../ui/kit.ts';
import { keepFocus } from '../../commands/focus.ts';
import { useSession, useShortcuts } from '../session-context.ts';
import chips from '../chips.module.css';
import classes from './find.module.css';
import { useFilter, useFilteredOut } from './use-filter.ts';

export function FilterButton() {
  const t = useText();
  const { find } = useSession();
  const keyOf = useShortcuts();
  const open = useFilter((state) => state.open);
  const isOn = useFilter((state) => state.logic !== null);
  const name = useFilter((state) => state.name);
  const count = useFilteredOut();
  return (
    <Group gap={2} wrap="nowrap" flex="none" pr={8} onMouseDown={keepFocus}>
      <button
        type="button"
        className={chips.chip}
        data-on={isOn || undefined}
        aria-expanded={open}
        aria-haspopup="dialog"
        title={keyOf('filter.open')}
        data-testid="filter"
        onClick={() => find.filter.setOpen(!open)}
      >
        {isOn ? <IconFilterFilled size={14} /> : <IconFilter size={14} stroke={1.5} />}
        <span className={`${chips.name} ${classes.filterName}`}>{name ?? t('find.filter.title')}</span>
        {isOn && <span className={classes.hidden}>{t('find.filter.hidden', { count })}</span>}
      </button>
      {isOn && (
        <IconButton
          size="sm"
          label={t('find.filter.clear')}
          shortcut={keyOf('filter.clear')}
          icon={<IconX size={14} />}
          onClick={find.filter.clear}
        />
      )}
    </Group>
  );
}

/** Shown above the object list, because users wonder where filtered objects are. */
export function FilterBanner() {
  const t = useText();
  const { find } = useSession();
  const isOn = useFilter((state) => state.logic !== null);
  const name = useFilter((state) => state.name) ?? t('find.filter.theFilter');
  const count = useFilteredOut();
  if (!isOn) return null;
  return (
    <div className={classes.banner} role="status" data-testid="filter-banner" onMouseDown={keepFocus}>
      <IconFilter size={14} stroke={1.5} />
      <Text span inherit truncate flex={1}>
        {t('find.filter.hides', { name, count })}
      </Text>
      <IconButton size="sm" label={t('find.filter.clear')} icon={<IconX size={14} />} onClick={find.filter.clear} />
    </div>
  );
}
