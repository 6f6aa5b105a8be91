import type { z } from 'zod';
import { jobStages, jobStates, type Job, type jobPatchSchema } from '../../../../preload/contract/schema/resources.ts';
import { call } from '../../../api/client.ts';
import { useChange } from '../../../shared/use-change.ts';
import { useText } from '../../../i18n/index.ts';
import { ChoiceField } from '../../../ui/kit.ts';
import { AssigneeSelect, usePeople } from '../../../shared/people/people.tsx';
import classes from './job-fields.module.css';

const look = { input: classes.field ?? '', section: classes.section ?? '' };

type JobPatch = z.infer<typeof jobPatchSchema>;

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
  const { areSeveral } = usePeople();
  const update = useChange((body: JobPatch) => call('updateJob', { params: { id: job.id }, body }), {
    reloads: ['jobs', 'tasks'],
    failed: t('jobs.changeFailed', { id: job.id }),
  });
  return (
    <>
      {areSeveral && (
        <AssigneeSelect
          size="xs"
          classNames={look}
          w={136}
          aria-label={t('jobs.assignee')}
          assignee={job.assignee}
          onChange={(assignee) => update.mutate({ assignee })}
        />
      )}
      <ChoiceField
        size="xs"
        classNames={look}
        w={124}
        aria-label={t('tasks.stage')}
        data={jobStages.map((value) => ({ value, label: t(`tasks.status.${value}`) }))}
        value={job.stage}
        onChange={(stage) => update.mutate({ stage })}
      />
      <ChoiceField
        size="xs"
        classNames={look}
        w={124}
        mr={4}
        aria-label={t('tasks.state')}
        data={jobStates.map((value) => ({ value, label: t(`tasks.status.${value}`) }))}
        value={job.state}
        onChange={(state) => update.mutate({ state })}
      />
    </>
  );
}
