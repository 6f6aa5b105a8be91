import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState, type ReactNode } from 'react';
import { messageOf } from '../../../api/api-error.ts';
import { useText } from '../../../i18n/index.ts';
import { formatNumber } from '../../../i18n/language.ts';
import { Button, Group, Modal, QuietButton, Stack, Text } from '../../../ui/kit.ts';
import { notify } from '../../../ui/notify.ts';
import { RunningView } from '../../dataset/run-dialog.tsx';
import type { BulkDialogTarget } from './bulk-bar.tsx';
import classes from './bulk.module.css';

interface BulkDialogProps<Item> extends BulkDialogTarget<Item> {
  readonly title: string;
  readonly text?: string;
  readonly confirm: string;
  readonly danger?: boolean;
  readonly isReady?: boolean;
  readonly nameOf: (item: Item) => string;
  readonly run: (item: Item, signal: AbortSignal) => Promise<unknown>;
  readonly stale: readonly string[];
  readonly said?: (count: number) => string;
  readonly children?: ReactNode;
}

interface Failure {
  readonly name: string;
  readonly reason: string;
}

type State =
  | { readonly phase: 'form' }
  | { readonly phase: 'running'; readonly done: number }
  | {
      readonly phase: 'ended';
      readonly done: number;
      readonly isStopped: boolean;
      readonly failures: readonly Failure[];
    };

/** Confirms once, processes the items one by one, and lists failures with reasons. */
export function BulkDialog<Item>(props: BulkDialogProps<Item>) {
  const { title, text, confirm, danger = false, isReady = true, items, nameOf, run, stale, said, children } = props;
  const { onClose, onDone } = props;
  const t = useText();
  const client = useQueryClient();
  const [state, setState] = useState<State>({ phase: 'form' });
  const stop = useRef(new AbortController());
  const start = async (): Promise<void> => {
    const { signal } = stop.current;
    const failures: Failure[] = [];
    let tried = 0;
    for (const item of items) {
      if (signal.aborted) break;
      setState({ phase: 'running', done: tried });
      try {
        // Sequential, so that progress is visible and cancelling leaves the rest unchanged.
        await run(item, signal);
      } catch (error) {
        if (signal.aborted) break;
        failures.push({ name: nameOf(item), reason: messageOf(error) });
      }
      tried += 1;
    }
    for (const key of stale) void client.invalidateQueries({ queryKey: [key] });
    const done = tried - failures.length;
    if (done === items.length) {
      notify.success(said?.(done) ?? t('bulk.done', { count: done }));
      onDone();
    } else setState({ phase: 'ended', done, isStopped: signal.aborted, failures });
  };
  const close = (): void => {
    if (state.phase === 'form') onClose();
    else if (state.phase === 'running') stop.current.abort();
    else onDone();
  };
  const total = items.length;
  return (
    <Modal opened onClose={close} title={title} size="md">
      {state.phase === 'form' && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (isReady) void start();
          }}
        >
          <Stack gap="md">
            {text !== undefined && <Text fz="sm">{text}</Text>}
            <p className={classes.names} title={items.map(nameOf).join('\n')}>
              {items.map(nameOf).join(', ')}
            </p>
            {children}
            <Group justify="flex-end" gap="sm">
              <QuietButton onClick={onClose}>{t('common.cancel')}</QuietButton>
              <Button type="submit" color={danger ? 'red' : 'ink'} disabled={!isReady} data-autofocus>
                {confirm}
              </Button>
            </Group>
          </Stack>
        </form>
      )}
      {state.phase === 'running' && (
        <RunningView
          text={t('bulk.running', { done: formatNumber(state.done), total: formatNumber(total) })}
          progress={state.done / total}
          onCancel={close}
        />
      )}
      {state.phase === 'ended' && (
        <Stack gap="md">
          <Text fz="sm" role="status">
            {t(state.isStopped ? 'bulk.stopped' : 'bulk.partly', {
              done: formatNumber(state.done),
              total: formatNumber(total),
            })}
          </Text>
          {state.failures.length > 0 && (
            // Explicit role, because some screen readers ignore lists without bullets.
            <ul className={classes.failures} role="list" tabIndex={0} aria-label={title}>
              {state.failures.map(({ name, reason }) => (
                <li key={name}>
                  <strong>{name}</strong>
                  {reason}
                </li>
              ))}
            </ul>
          )}
          <Group justify="flex-end">
            <Button onClick={close} data-autofocus>
              {t('common.close')}
            </Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}
