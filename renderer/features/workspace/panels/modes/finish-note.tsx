import { IconX } from '@tabler/icons-react';
import { useText } from '../../../../i18n/index.ts';
import { IconButton } from '../../../../ui/icon-button.tsx';
import { useSession, useShortcuts } from '../session-context.ts';
import over from '../canvas-area.module.css';
import classes from './modes.module.css';
import { useSingle } from './use-modes.ts';

/** Offers the next steps when the last frame has its shapes. */
export function FinishNote() {
  const t = useText();
  const keyOf = useShortcuts();
  const { single } = useSession().modes;
  if (!useSingle((state) => state.finished)) return null;
  return (
    <div className={`${over.over} ${classes.finish}`} data-high role="status">
      <div>
        <strong>{t('desks.single.doneTitle')}</strong>
        <p>{t('desks.single.done', { key: keyOf('find.previousEmpty') ?? '' })}</p>
      </div>
      <IconButton
        label={t('common.close')}
        icon={<IconX size={16} />}
        onClick={() => single.state.setState({ finished: false })}
      />
    </div>
  );
}
