import { notifications, type NotificationData } from '@mantine/notifications';
import { text } from '../i18n/index.ts';

const show = (data: NotificationData): void =>
  void notifications.show({ ...data, closeButtonProps: { 'aria-label': text('common.close') } });

/** Short news in the corner. Failures stay until they are closed. */
export const notify = {
  info: (message: string): void => show({ message, autoClose: 4_000 }),
  success: (message: string): void => show({ message, color: 'teal', autoClose: 4_000 }),
  failure: (title: string, message: string): void => show({ title, message, color: 'red', autoClose: false }),
  /** One message a matter: a second one with the same id replaces the first. */
  hint: (id: string, message: string): void => {
    notifications.hide(id);
    show({ id, message, color: 'yellow', autoClose: 5_000 });
  },
};
