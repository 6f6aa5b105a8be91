import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { queries } from '../../../api/queries.ts';
import { type TextFunction, useText } from '../../../i18n/index.ts';
import { formatNumber } from '../../../i18n/language.ts';
import { formatBytes } from '../../../shared/format-text.ts';
import { filesOfChoice } from '../../../shared/buckets/bucket-choice.ts';
import { BucketChooser } from '../../../shared/buckets/bucket-chooser.tsx';
import { LabelProblems, LabelTabs } from '../labels/label-editor.tsx';
import { labelProblems } from '../labels/label-draft.ts';
import { useUnsaved } from '../../../shared/use-form.ts';
import { isWebAddress } from '../pages/fact-fields.tsx';
import { type CreatedTask, useCreation } from '../task-creation/creation-dialog.tsx';
import {
  Button,
  Dimmed,
  Group,
  Hint,
  PartName,
  SegmentedControl,
  Select,
  SimpleGrid,
  Stack,
  TextInput,
} from '../../../ui/kit.ts';
import { joined } from '../../../ui/list.tsx';
import { notify } from '../../../ui/notify.ts';
import { Page } from '../../../ui/page.tsx';
import { Facts, Panel } from '../../../ui/panel.tsx';
import { isVideoName } from '../../../../preload/contract/media-names.ts';
import { validationProblem } from '../quality/validation-choice.ts';
import { AdvancedSettings } from './advanced-settings.tsx';
import { MediaChooser, PathChooser } from './media-chooser.tsx';
import { emptyForm, forecastOf, hasPool, type NewTaskForm, tasksOfForm } from './new-task-form.ts';
import classes from './new-task-page.module.css';

function NewTaskSummary({ form }: { readonly form: NewTaskForm }) {
  const t = useText();
  const { tasks, frames, jobs, bytes } = forecastOf(form);
  const known = (count: number | null): string => (count === null ? t('newTask.later') : formatNumber(count));
  return (
    <Panel title={t('newTask.summary')}>
      {tasks === 0 ? (
        <Dimmed>{t('newTask.summaryEmpty')}</Dimmed>
      ) : (
        <Facts
          width={104}
          facts={[
            [t('newTask.tasks'), formatNumber(tasks)],
            [t('newTask.frames'), known(frames)],
            [
              t('newTask.jobs'),
              joined([known(jobs), form.replicas > 0 ? t('consensus.timesReplicas', { count: form.replicas }) : null]),
            ],
            [
              t('validation.mode'),
              form.validation.mode === 'none' ? null : t(`validation.modes.${form.validation.mode}`),
            ],
            [
              t('newTask.disk'),
              form.source === 'files'
                ? formatBytes(bytes)
                : t(form.source === 'paths' ? 'newTask.inPlace' : 'newTask.inBucket'),
            ],
          ]}
        />
      )}
    </Panel>
  );
}

const ProjectSelect = ({
  form,
  onChange,
}: {
  readonly form: NewTaskForm;
  readonly onChange: (id: number | null) => void;
}) => {
  const t = useText();
  const projects = useQuery(queries.projects({ page: 1, pageSize: 100, sort: 'name' }));
  return (
    <Select
      label={t('newTask.project')}
      placeholder={t('newTask.noProject')}
      clearable
      searchable
      data={(projects.data?.results ?? []).map((project) => ({ value: String(project.id), label: project.name }))}
      value={form.projectId === null ? null : String(form.projectId)}
      onChange={(value) => onChange(value === null ? null : Number(value))}
    />
  );
};

const LabelsPart = ({
  form,
  onChange,
  onRawProblems,
}: {
  readonly form: NewTaskForm;
  readonly onChange: (change: Partial<NewTaskForm>) => void;
  readonly onRawProblems: (problems: readonly string[]) => void;
}) => {
  const t = useText();
  return (
    <div>
      <PartName>{t('newTask.labels')}</PartName>
      <Hint mb={4}>{form.projectId === null ? t('newTask.labelsHint') : t('newTask.labelsFromProject')}</Hint>
      {form.projectId === null && (
        <LabelTabs drafts={form.labels} onChange={(labels) => onChange({ labels })} onRawProblems={onRawProblems} />
      )}
    </div>
  );
};

/** Reason why the form cannot be submitted, except labels; undefined if it can. */
function problemOf(form: NewTaskForm, t: TextFunction): string | undefined {
  const { source, files, paths, bucket, startFrame, stopFrame, bugTracker } = form;
  if (source === 'files' && files.length === 0) return t('newTask.noFiles');
  if (source === 'paths' && paths.length === 0) return t('newTask.noPaths');
  if (source === 'bucket' && filesOfChoice(bucket).length === 0) return t('newTask.noObjects');
  if (stopFrame !== null && stopFrame < (startFrame ?? 0)) return t('newTask.stopBeforeStart');
  if (hasPool(form) && source === 'bucket') return t('validation.noBucket');
  if (hasPool(form) && files.some(({ path }) => isVideoName(path))) return t('validation.noVideo');
  const validation = validationProblem(form.validation, forecastOf(form).frames);
  if (validation !== null) return t(`validation.problems.${validation}`);
  if (bugTracker.trim() !== '' && !isWebAddress(bugTracker.trim())) return t('pages.trackerProblem');
  return undefined;
}

/** Creates the tasks one by one and opens the only one or the list. */
function useSubmit(): (form: NewTaskForm) => Promise<void> {
  const t = useText();
  const navigate = useNavigate();
  const client = useQueryClient();
  const start = useCreation((store) => store.start);
  // The entries are saved in the created tasks.
  const go: typeof navigate = (to) => navigate({ ...to, ignoreBlocker: true });
  return async (form) => {
    const wanted = tasksOfForm(form, new Date());
    let created: CreatedTask | null = null;
    for (const task of wanted) {
      created = await start(task);
      for (const key of ['tasks', 'projects']) void client.invalidateQueries({ queryKey: [key] });
      if (created === null) return;
    }
    if (created === null) return;
    if (wanted.length > 1) {
      notify.success(t('newTask.made', { count: wanted.length }));
      const projectId = String(form.projectId);
      if (form.projectId === null) return go({ to: '/tasks' });
      return go({ to: '/projects/$projectId', params: { projectId }, search: { tab: 'tasks' } });
    }
    const taskId = String(created.taskId);
    if (created.jobId === null) await go({ to: '/tasks/$taskId', params: { taskId } });
    else await go({ to: '/tasks/$taskId/jobs/$jobId', params: { taskId, jobId: String(created.jobId) } });
  };
}

const sources = ['files', 'paths', 'bucket'] as const;

/** Images first; everything else has defaults. */
export function NewTaskPage({
  projectId,
  bucketId,
}: {
  readonly projectId?: number | undefined;
  readonly bucketId?: number | undefined;
}) {
  const t = useText();
  const submit = useSubmit();
  const isAdmin = useQuery(queries.self()).data?.is_superuser === true;
  const [form, setForm] = useState(() => emptyForm(projectId ?? null, bucketId ?? null));
  const [isChanged, setChanged] = useState(false);
  const [rawProblems, setRawProblems] = useState<readonly string[]>([]);
  const change = (part: Partial<NewTaskForm>): void => {
    setChanged(true);
    setForm((now) => ({ ...now, ...part }));
  };
  const problems = form.projectId === null ? [...rawProblems, ...labelProblems(form.labels, t)] : [];
  const problem = problemOf(form, t);
  useUnsaved(isChanged, t('pages.unsavedForm'));
  return (
    <Page title={t('newTask.title')} crumbs={<Link to="/tasks">{t('tasks.title')}</Link>}>
      <div className={classes.newTask}>
        <Stack gap="lg">
          <SegmentedControl
            w="fit-content"
            aria-label={t('newTask.source')}
            data={sources
              .filter((value) => isAdmin || value !== 'paths')
              .map((value) => ({ value, label: t(`newTask.sources.${value}`) }))}
            value={form.source}
            // The values come from the list above.
            onChange={(value) => change({ source: value as NewTaskForm['source'] })}
          />
          {form.source === 'files' && <MediaChooser form={form} onChange={change} />}
          {form.source === 'paths' && <PathChooser form={form} onChange={change} />}
          {form.source === 'bucket' && <BucketChooser choice={form.bucket} onChange={(bucket) => change({ bucket })} />}
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <TextInput
              label={t('newTask.name')}
              placeholder={t('newTask.namePlaceholder')}
              maxLength={256}
              value={form.name}
              onChange={(value) => change({ name: value })}
            />
            <ProjectSelect form={form} onChange={(id) => change({ projectId: id })} />
          </SimpleGrid>
          <LabelsPart form={form} onChange={change} onRawProblems={setRawProblems} />
          <LabelProblems problems={problems} />
          <AdvancedSettings form={form} onChange={change} />
          <Group justify="flex-end" gap="sm">
            {problem !== undefined && <Hint>{problem}</Hint>}
            <Button disabled={problem !== undefined || problems.length > 0} onClick={() => void submit(form)}>
              {t(forecastOf(form).tasks > 1 ? 'newTask.submitAll' : 'newTask.submit')}
            </Button>
          </Group>
        </Stack>
        <NewTaskSummary form={form} />
      </div>
    </Page>
  );
}
