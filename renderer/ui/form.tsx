import { Button, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useText } from '../i18n/index.ts';
import { Modal } from './dialog.tsx';

/** General error of a form; empty without one. */
export const FormError = ({ text }: { readonly text: string | undefined }) =>
  text === undefined || text === '' ? null : (
    <Text c="red" fz="sm" role="alert">
      {text}
    </Text>
  );

interface FormDialogProps {
  readonly title: string;
  readonly size?: 'sm' | 'md' | 'lg';
  readonly submit: string;
  /** The change that the dialog makes: it runs on submit, and the dialog shows its progress and its error. */
  readonly change?: { readonly mutate: () => void; readonly isPending: boolean; readonly error: Error | null };
  /** Without `change`. */
  readonly onSubmit?: () => void;
  readonly onClose: () => void;
  readonly isBusy?: boolean;
  readonly isReady?: boolean;
  /** For deletion: a red button that Enter in a field does not press. */
  readonly danger?: boolean;
  /** By default the message of the change. */
  readonly error?: string | undefined;
  readonly children: ReactNode;
}

export function FormDialog(props: FormDialogProps) {
  const { title, size = 'md', submit, change, onClose, isReady = true, danger = false, children } = props;
  const {
    onSubmit = () => change?.mutate(),
    isBusy = change?.isPending ?? false,
    error = change?.error?.message,
  } = props;
  const t = useText();
  return (
    <Modal opened onClose={onClose} title={title} size={size}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady && !isBusy && !danger) onSubmit();
        }}
      >
        <Stack gap="md">
          {children}
          <FormError text={error} />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose}>
              {t('common.cancel')}
            </Button>
            <Button
              type={danger ? 'button' : 'submit'}
              color={danger ? 'red.9' : 'ink'}
              loading={isBusy}
              disabled={!isReady}
              {...(danger ? { onClick: onSubmit } : {})}
            >
              {submit}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
