import { notifications, type NotificationData } from '@mantine/notifications';
import { messageOf } from '../api/api-error.ts';
import { text } from '../i18n/index.ts';

const show = (data: NotificationData): void =>
  void notifications.show({ ...data, closeButtonProps: { 'aria-label': text('common.close') } });

/** Notifications. Failures stay until closed. */
export const notify = {
  info: (message: string): void => show({ message, autoClose: 4_000 }),
  success: (message: string): void => show({ message, color: 'teal', autoClose: 4_000 }),
  failure: (title: string, problem: unknown): void =>
    show({ title, message: messageOf(problem), color: 'red', autoClose: false }),
  /** The same id replaces the earlier notification. */
  hint: (id: string, message: string): void => {
    notifications.hide(id);
    show({ id, message, color: 'yellow', autoClose: 5_000 });
  },
};
