import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import { jobStages, jobStates, type Job, type jobPatchSchema } from '../../../../preload/contract/schema/resources.ts';
import { messageOf } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import { useText } from '../../../i18n/index.ts';
import { Select } from '../../../ui/kit.ts';
import { notify } from '../../../ui/notify.ts';
import { usePeople } from '../../../shared/people/use-people.ts';
import { userName } from '../../../shared/people/user-name.ts';
import classes from './job-fields.module.css';

const look = { input: classes.field ?? '', section: classes.section ?? '' };

type JobPatch = z.infer<typeof jobPatchSchema>;

/** Column names of `JobFields`. */
export function JobFieldsHead() {
  const t = useText();
  const { areSeveral } = usePeople();
  return (
    <>
      {areSeveral && (
        <span className={classes.head} style={{ width: 136 }}>
          {t('jobs.assignee')}
        </span>
      )}
      <span className={classes.head} style={{ width: 124 }}>
        {t('tasks.stage')}
      </span>
      <span className={classes.head} style={{ width: 128 }}>
        {t('tasks.state')}
      </span>
    </>
  );
}

/** Stage, state and, with several users, assignee of a job; changes apply at once. */
export function JobFields({ job }: { readonly job: Job }) {
  const t = useText();
  const client = useQueryClient();
  const { people, areSeveral } = usePeople();
  const update = useMutation({
    mutationFn: (body: JobPatch) => call('updateJob', { params: { id: job.id }, body }),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ['jobs'] });
      void client.invalidateQueries({ queryKey: ['tasks'] });
    },
    onError: (error) => notify.failure(t('jobs.changeFailed', { id: job.id }), messageOf(error)),
  });
  const named = (value: (typeof jobStages)[number] | (typeof jobStates)[number]) => ({
    value,
    label: t(`tasks.status.${value}`),
  });
  const { assignee } = job;
  // Keeps an assignee whom this user cannot list.
  const known = assignee === null || people.some((one) => one.id === assignee.id) ? people : [...people, assignee];
  return (
    <>
      {areSeveral && (
        <Select
          size="xs"
          classNames={look}
          w={136}
          aria-label={t('jobs.assignee')}
          placeholder={t('jobs.nobody')}
          searchable
          clearable
          data={known.map((one) => ({ value: String(one.id), label: userName(one) }))}
          value={assignee === null ? null : String(assignee.id)}
          onChange={(id) => update.mutate({ assignee: id === null ? null : Number(id) })}
        />
      )}
      <Select
        size="xs"
        classNames={look}
        w={124}
        aria-label={t('tasks.stage')}
        allowDeselect={false}
        data={jobStages.map(named)}
        value={job.stage}
        // The values come from the list, here and below.
        onChange={(stage) => stage !== null && update.mutate({ stage: stage as Job['stage'] })}
      />
      <Select
        size="xs"
        classNames={look}
        w={124}
        mr={4}
        aria-label={t('tasks.state')}
        allowDeselect={false}
        data={jobStates.map(named)}
        value={job.state}
        onChange={(state) => state !== null && update.mutate({ state: state as Job['state'] })}
      />
    </>
  );
}
