import type { NewTaskForm } from './new-task-form.ts';
import { forecastOf } from './new-task-form.ts';
import { useText } from '../../i18n/index.ts';
import { formatNumber } from '../../i18n/language.ts';
import { formatBytes } from '../../parts/format-text.ts';
import { Dimmed } from '../../ui/kit.ts';
import { joined } from '../../ui/list.tsx';
import { Facts, Panel } from '../../ui/panel.tsx';

/** What the form will come to, beside it. */
export function NewTaskSummary({ form }: { readonly form: NewTaskForm }) {
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
            [t('newTask.disk'), form.source === 'paths' ? t('newTask.inPlace') : formatBytes(bytes)],
          ]}
        />
      )}
    </Panel>
  );
}
