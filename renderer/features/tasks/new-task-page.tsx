import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { queries } from '../../api/queries.ts';
import { useText } from '../../i18n/index.ts';
import { labelProblems } from '../../parts/labels/label-problems.ts';
import { LabelProblems } from '../../parts/labels/label-editor.tsx';
import { LabelTabs } from '../../parts/labels/label-tabs.tsx';
import { useCreation } from '../../parts/task-creation/creation-store.ts';
import { Button, Group, Select, Stack, Text, TextInput } from '../../ui/kit.ts';
import { Page } from '../../ui/page.tsx';
import { AdvancedSettings } from './advanced-settings.tsx';
import { MediaChooser } from './media-chooser.tsx';
import { emptyForm, taskOfForm, type NewTaskForm } from './new-task-form.ts';

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
      <Text fz="sm" fw={500}>
        {t('newTask.labels')}
      </Text>
      <Text fz="xs" c="dimmed" mb={4}>
        {form.projectId === null ? t('newTask.labelsHint') : t('newTask.labelsFromProject')}
      </Text>
      {form.projectId === null && (
        <LabelTabs drafts={form.labels} onChange={(labels) => onChange({ labels })} onRawProblems={onRawProblems} />
      )}
    </div>
  );
};

/** Images first; everything else may stay as it is. */
export function NewTaskPage({ projectId }: { readonly projectId?: number | undefined }) {
  const t = useText();
  const navigate = useNavigate();
  const client = useQueryClient();
  const start = useCreation((store) => store.start);
  const [form, setForm] = useState(() => emptyForm(projectId ?? null));
  const [rawProblems, setRawProblems] = useState<readonly string[]>([]);
  const change = (part: Partial<NewTaskForm>): void => setForm((now) => ({ ...now, ...part }));
  const problems = form.projectId === null ? [...rawProblems, ...labelProblems(form.labels, t)] : [];
  const submit = async (): Promise<void> => {
    const created = await start(taskOfForm(form, new Date()));
    void client.invalidateQueries({ queryKey: ['tasks'] });
    void client.invalidateQueries({ queryKey: ['projects'] });
    if (created === null) return;
    const taskId = String(created.taskId);
    if (created.jobId === null) await navigate({ to: '/tasks/$taskId', params: { taskId } });
    else await navigate({ to: '/tasks/$taskId/jobs/$jobId', params: { taskId, jobId: String(created.jobId) } });
  };
  return (
    <Page
      title={t('newTask.title')}
      crumbs={<Link to="/tasks">{t('tasks.title')}</Link>}

      column
    >
      <Stack gap="lg">
        <MediaChooser form={form} onChange={change} />
        <Group grow align="flex-start">
          <TextInput
            label={t('newTask.name')}
            placeholder={t('newTask.namePlaceholder')}
            maxLength={256}
            value={form.name}
            onChange={(event) => change({ name: event.currentTarget.value })}
          />
          <ProjectSelect form={form} onChange={(id) => change({ projectId: id })} />
        </Group>
        <LabelsPart form={form} onChange={change} onRawProblems={setRawProblems} />
        <LabelProblems problems={problems} />
        <AdvancedSettings form={form} onChange={change} />
        <Group justify="flex-end" gap="sm">
          {form.files.length === 0 && (
            <Text fz="xs" c="dimmed">
              {t('newTask.noFiles')}
            </Text>
          )}
          <Button disabled={form.files.length === 0 || problems.length > 0} onClick={() => void submit()}>
            {t('newTask.submit')}
          </Button>
        </Group>
      </Stack>
    </Page>
  );
}
