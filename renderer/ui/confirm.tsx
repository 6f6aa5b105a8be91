import { Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import { text as say } from '../i18n/index.ts';
import { dialogClasses } from './dialog.tsx';

interface Question {
  readonly title: string;
  readonly text: string;
  readonly confirm: string;
  readonly cancel?: string;
  readonly danger?: boolean;
}

export const ask = ({ title, text, confirm, cancel = say('common.cancel'), danger = true }: Question) =>
  new Promise<boolean>((resolve) => {
    modals.openConfirmModal({
      title,
      classNames: dialogClasses,
      children: <Text fz="sm">{text}</Text>,
      labels: { confirm, cancel },
      closeButtonProps: { 'aria-label': cancel },
      confirmProps: { color: danger ? 'red.9' : 'ink', ...(danger ? {} : { 'data-autofocus': true }) },
      // Enter must not confirm an irreversible action.
      cancelProps: danger ? { 'data-autofocus': true } : {},
      onConfirm: () => resolve(true),
      onCancel: () => resolve(false),
      onClose: () => resolve(false),
    });
  });
