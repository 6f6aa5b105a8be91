import { IconX } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { useText } from '../../../i18n/index.ts';
import { formatNumber } from '../../../i18n/language.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Button } from '../../../ui/kit.ts';
import classes from '../lists.module.css';

export interface BulkAction<Item> {
  readonly key: string;
  readonly label: string;
  readonly icon: ReactNode;
  readonly danger?: boolean;
  readonly renderDialog: (dialog: BulkDialogTarget<Item>) => ReactNode;
}

export interface BulkDialogTarget<Item> {
  readonly items: readonly Item[];
  readonly onClose: () => void;
  readonly onDone: () => void;
}

interface BulkBarProps<Item> {
  readonly items: readonly Item[];
  readonly actions: readonly BulkAction<Item>[];
  readonly onClear: () => void;
  /** Extends the selection from a page to the complete list. */
  readonly all: { readonly total: number; readonly isLoading: boolean; readonly choose: () => void } | null;
}

export function BulkBar<Item>({ items, actions, onClear, all }: BulkBarProps<Item>) {
  const t = useText();
  const [openAction, setOpenAction] = useState<BulkAction<Item> | null>(null);
  return (
    <>
      <div className={classes.bar} role="toolbar" aria-label={t('lists.select.bar')}>
        <span className={classes.count} role="status">
          {t('lists.select.count', { count: items.length })}
        </span>
        {all !== null && (
          <Button size="compact-sm" variant="subtle" loading={all.isLoading} onClick={all.choose}>
            {t('lists.select.all', { number: formatNumber(all.total) })}
          </Button>
        )}
        <span className={classes.rule} />
        {actions.map((action) => (
          <Button
            key={action.key}
            size="compact-sm"
            variant="subtle"
            color={action.danger === true ? 'red' : 'gray'}
            leftSection={action.icon}
            onClick={() => setOpenAction(action)}
          >
            {action.label}
          </Button>
        ))}
        <span className={classes.rule} />
        <IconButton
          size="sm"
          label={t('lists.select.none')}
          shortcut="Esc"
          icon={<IconX size={16} />}
          onClick={onClear}
        />
      </div>
      {openAction?.renderDialog({
        items,
        onClose: () => setOpenAction(null),
        onDone() {
          setOpenAction(null);
          onClear();
        },
      })}
    </>
  );
}
