import { Modal as KitModal, type ModalProps } from '@mantine/core';
import { useText } from '../i18n/index.ts';

/** A dialog in the middle of the window; its close button has a name. */
export const Modal = (props: ModalProps) => {
  const t = useText();
  return <KitModal closeButtonProps={{ 'aria-label': t('common.close') }} {...props} />;
};
