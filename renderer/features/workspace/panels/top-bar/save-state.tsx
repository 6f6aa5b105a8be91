import { IconAlertTriangle, IconCheck, IconDownload, IconLoader2, IconRefresh } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from '@tanstack/react-router';
import { useText, type TextFunction } from '../../../../i18n/index.ts';
import { Button, Group, Popover, Stack, Text, UnstyledButton } from '../../../../ui/kit.ts';
import type { Edit, SaveStatus } from '../../model/saving/save-types.ts';
import { useAnnotate, useSession } from '../session-context.ts';
import classes from './top-bar.module.css';

const failureTexts = {
  unreachable: 'saving.unreachable',
  'signed-out': 'saving.signedOut',
  gone: 'saving.gone',
  'disk-full': 'saving.diskFull',
  refused: 'saving.refusedPlain',
  stale: 'saving.refusedPlain',
} as const;

/** Sentence with the reason for unsaved edits and the next step. */
function reasonOf({ failure, refused, conflicts }: SaveStatus, t: TextFunction): string {
  if (failure === null && conflicts.length > 0) return t('saving.clashes', { count: conflicts.length });
  if (failure === null) return t('saving.refused', { count: refused });
  return failure.kind === 'server' ? t('saving.server', { message: failure.message }) : t(failureTexts[failure.kind]);
}

function saveText(status: SaveStatus, t: TextFunction): string {
  if (status.state === 'saved') return t('saving.saved');
  if (status.state === 'saving') return t('saving.saving');
  return t('saving.notSaved', { reason: reasonOf(status, t) });
}

/** Downloads the unsaved edits in the service's format as a manual backup. */
const downloadEdits = (jobId: number, edits: readonly Edit[]): void => {
  const blob = new Blob([JSON.stringify({ job: jobId, edits }, null, 2)], { type: 'application/json' });
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = `limner-job-${jobId}-unsaved-edits.json`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
};

const icons = {
  saved: <IconCheck size={14} />,
  saving: <IconLoader2 size={14} />,
  failed: <IconAlertTriangle size={14} />,
};

/** Always visible: saved, saving, or not saved with the reason. */
export function SaveState() {
  const t = useText();
  const { saving, job } = useSession();
  const status = useAnnotate((state) => state.save);
  const kept = useAnnotate((state) => state.journalKept);
  const words = saveText(status, t);
  const isRefused = status.failure === null && status.refused > 0;
  const [chosen, setChosen] = useState<{ readonly refused: number; readonly isOpen: boolean } | null>(null);
  // Opens automatically once per rejection, because the user has to resolve it.
  const isOpen = chosen?.refused === status.refused ? chosen.isOpen : isRefused;
  const setOpen = (next: boolean): void => setChosen({ refused: status.refused, isOpen: next });
  const pill = (
    <span className={classes.save} data-state={status.state} data-testid="save-state" aria-live="polite">
      {icons[status.state]}
      <span className={classes.saveText} title={words}>
        {isRefused ? t('saving.short', { count: status.refused }) : words}
      </span>
    </span>
  );
  if (status.state !== 'failed') return pill;
  const reasons = [...new Set(saving.queue.unsaved().flatMap((edit) => edit.reason ?? []))];
  return (
    <Popover width={360} position="bottom-start" opened={isOpen} onChange={setOpen}>
      <Popover.Target>
        <UnstyledButton miw={0} onClick={() => setOpen(!isOpen)}>
          {pill}
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="sm">
          <Text fz="sm" fw={600}>
            {words}
          </Text>
          {reasons.map((reason) => (
            <Text key={reason} fz="sm">
              {reason}
            </Text>
          ))}
          <Text fz="sm" c="dimmed">
            {t('saving.waiting', { count: status.unsaved })} {kept ? '' : t('saving.inMemory')}
          </Text>
          <Group gap={8}>
            {status.failure?.kind === 'signed-out' && (
              <Link to="/sign-in" search={{ next: window.location.pathname + window.location.search }} reloadDocument>
                {t('saving.signIn')}
              </Link>
            )}
            <Button size="xs" leftSection={<IconRefresh size={14} />} onClick={() => saving.queue.retry()}>
              {t('saving.retry')}
            </Button>
            <Button
              size="xs"
              variant="default"
              leftSection={<IconDownload size={14} />}
              onClick={() => downloadEdits(job.id, saving.queue.unsaved())}
            >
              {t('saving.download')}
            </Button>
          </Group>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
