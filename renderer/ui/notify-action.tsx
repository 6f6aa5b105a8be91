import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { text } from '../i18n/index.ts';

/** Long enough to read and decide. */
const shownMs = 20_000;

export function notifyAction(id: string, message: string, action: { label: string; run: () => void }): void {
  const run = (): void => {
    notifications.hide(id);
    action.run();
  };
  notifications.hide(id);
  notifications.show({
    id,
    autoClose: shownMs,
    closeButtonProps: { 'aria-label': text('common.close') },
    message: (
      <Group gap={12} justify="space-between" wrap="nowrap">
        <Text fz="sm">{message}</Text>
        <Button size="compact-sm" variant="default" flex="none" onClick={run}>
          {action.label}
        </Button>
      </Group>
    ),
  });
}
