import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type SyntheticEvent } from 'react';
import type { DataMeta, Job } from '../../../../preload/contract/schema/resources.ts';
import { call } from '../../../api/client.ts';
import { useText } from '../../../i18n/index.ts';
import { FormError } from '../../../ui/form.tsx';
import { Button, Group, NumberInput, SmallButton, Textarea } from '../../../ui/kit.ts';
import { notify } from '../../../ui/notify.ts';
import classes from '../../../parts/issues/issues.module.css';

interface NewIssueFormProps {
  readonly jobs: readonly Job[];
  readonly meta: DataMeta;
  readonly onDone: () => void;
}

/** Opens an issue on a whole frame. */
export function NewIssueForm({ jobs, meta, onDone }: NewIssueFormProps) {
  const t = useText();
  const client = useQueryClient();
  const [frame, setFrame] = useState<number | string>(0);
  const [message, setMessage] = useState('');
  const job = jobs.find((one) => typeof frame === 'number' && one.start_frame <= frame && frame <= one.stop_frame);
  const create = useMutation({
    mutationFn: () => {
      const at = Number(frame);
      // All frames of a video are of one size, which is told once.
      const { width = 0, height = 0 } = meta.frames?.[at] ?? meta.frames?.[0] ?? {};
      return call('createIssue', {
        body: { job: job?.id ?? 0, frame: at, position: [0, 0, width, height], message: message.trim() },
      });
    },
    onSuccess: async (issue) => {
      notify.success(t('issues.created', { frame: issue.frame }));
      onDone();
      void client.invalidateQueries({ queryKey: ['jobs'] });
      await client.invalidateQueries({ queryKey: ['issues'] });
    },
  });
  const ready = job !== undefined && message.trim() !== '';
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (ready) create.mutate();
  };
  return (
    <form onSubmit={submit} className={classes.newIssue}>
      <Group gap="sm" align="flex-start" wrap="nowrap">
        <NumberInput
          w={104}
          label={t('issues.frame')}
          description={t('issues.frameHint', { last: meta.size - 1 })}
          min={0}
          max={meta.size - 1}
          allowDecimal={false}
          value={frame}
          onChange={setFrame}
        />
        <Textarea
          style={{ flex: 1 }}
          label={t('issues.message')}
          placeholder={t('issues.messagePlaceholder')}
          autosize
          autoFocus
          minRows={2}
          maxRows={10}
          value={message}
          onChange={(event) => setMessage(event.currentTarget.value)}
          onKeyDown={(event) => event.key === 'Enter' && !event.shiftKey && submit(event)}
        />
      </Group>
      <FormError text={create.error?.message} />
      <Group gap="sm" justify="flex-end">
        <SmallButton onClick={onDone}>{t('common.cancel')}</SmallButton>
        <Button type="submit" size="xs" loading={create.isPending} disabled={!ready}>
          {t('issues.create')}
        </Button>
      </Group>
    </form>
  );
}
