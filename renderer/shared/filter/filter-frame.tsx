import { IconX } from '@tabler/icons-react';
import type { KeyboardEvent, ReactNode, RefObject } from 'react';
import { useText } from '../../i18n/index.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { SegmentedControl, TextInput } from '../../ui/kit.ts';
import classes from './filter-frame.module.css';

interface NameFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (name: string) => void;
  readonly onDone: () => void;
  readonly onGiveUp: () => void;
}

export const NameField = ({ label, value, onChange, onDone, onGiveUp }: NameFieldProps) => (
  <TextInput
    size="xs"
    w={160}
    // oxlint-disable-next-line jsx-a11y/no-autofocus -- it replaces the button that was just pressed
    autoFocus
    aria-label={label}
    placeholder={label}
    maxLength={64}
    value={value}
    onChange={onChange}
    onBlur={onDone}
    onKeyDown={(event) => {
      if (event.key === 'Enter') onDone();
      if (event.key !== 'Escape') return;
      // The card stays open.
      event.preventDefault();
      onGiveUp();
    }}
  />
);

/** The same filter as rows or as JSON Logic. */
export type FilterView = 'form' | 'json';

interface FilterFrameProps {
  readonly card: RefObject<HTMLDivElement | null>;
  readonly title: string;
  readonly className: string | undefined;
  readonly view: FilterView;
  readonly jsonLabel: string;
  /** Rows cannot express all of JSON Logic. */
  readonly hasForm?: boolean;
  readonly onView: (view: FilterView) => void;
  readonly onClose: () => void;
  readonly above?: ReactNode;
  readonly foot: ReactNode;
  readonly children: ReactNode;
}

/** Card of the filter editor. Escape closes an open list of choices first, then the card. */
export function FilterFrame(props: FilterFrameProps) {
  const { card, title, className, view, jsonLabel, hasForm = true, onView, onClose, above, foot, children } = props;
  const t = useText();
  const onKeyDown = (event: KeyboardEvent): void => {
    const isListOpen = event.target instanceof Element && event.target.getAttribute('aria-expanded') === 'true';
    if (event.key !== 'Escape' || event.defaultPrevented || isListOpen) return;
    event.preventDefault();
    onClose();
  };
  return (
    <div
      ref={card}
      className={`${classes.card} ${className}`}
      role="dialog"
      aria-label={title}
      tabIndex={-1}
      onKeyDown={onKeyDown}
    >
      <div className={classes.head}>
        <h2 className={classes.title}>{title}</h2>
        <SegmentedControl
          size="xs"
          value={view}
          onChange={onView}
          data={[
            { value: 'form', label: t('find.filter.form'), disabled: !hasForm },
            { value: 'json', label: jsonLabel },
          ]}
        />
        <IconButton size="sm" label={t('common.close')} icon={<IconX size={16} />} onClick={onClose} />
      </div>
      {above}
      <div className={classes.body}>{children}</div>
      <div className={classes.foot}>{foot}</div>
    </div>
  );
}
