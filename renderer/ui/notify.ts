import { notifications } from '@mantine/notifications';

/** Short news in the corner. Failures stay until they are closed. */
export const notify = {
  info: (message: string): void => void notifications.show({ message, autoClose: 4_000 }),
  success: (message: string): void => void notifications.show({ message, color: 'teal', autoClose: 4_000 }),
  failure: (title: string, message: string): void =>
    void notifications.show({ title, message, color: 'red', autoClose: false }),
  /** One message a matter: a second one with the same id replaces the first. */
  hint: (id: string, message: string): void => {
    notifications.hide(id);
    notifications.show({ id, message, color: 'yellow', autoClose: 5_000 });
  },
};
