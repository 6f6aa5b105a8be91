import { Modal as KitModal, type ModalProps } from '@mantine/core';
import { useText } from '../i18n/index.ts';
import { FirstField } from './first-field.tsx';
import classes from './dialog.module.css';

/** Long names: the title is truncated, the text wraps. */
export const dialogClasses = { title: classes.title ?? '', body: classes.body ?? '' };

/** A centred dialog with a labelled close button; the focus starts in its first field. */
export const Modal = ({ title, children, ...props }: ModalProps) => {
  const t = useText();
  const shown = typeof title === 'string' ? <span title={title}>{title}</span> : title;
  return (
    <KitModal
      closeButtonProps={{ 'aria-label': t('common.close') }}
      classNames={dialogClasses}
      title={shown}
      {...props}
    >
      <FirstField>{children}</FirstField>
    </KitModal>
  );
};
