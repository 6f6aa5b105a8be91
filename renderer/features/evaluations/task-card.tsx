import { Link } from '@tanstack/react-router';
import { useText } from '../../i18n/index.ts';
import { formatNumber } from '../../i18n/language.ts';
import { withoutFrames } from './report-address.ts';
import { Card, shown, type ViewProps } from './report-card.tsx';
import classes from './evaluations.module.css';

/** Only for projects: measures by task. A number links to the task's frames. */
export function ByTask({ report, counts, search, onGo }: ViewProps) {
  const t = useText();
  if (report.project_id === null) return null;
  return (
    <Card title={t('evaluations.byTask')} wide>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{t('evaluations.task')}</th>
            {counts.models.map((_, place) => (
              <th key={place} scope="col">
                <i data-model={place} /> F1
              </th>
            ))}
            <th scope="col">{t('evaluations.matched')}</th>
            <th scope="col">{t('evaluations.missed')}</th>
            <th scope="col">{t('evaluations.extra')}</th>
          </tr>
        </thead>
        <tbody>
          {(counts.models[0]?.tasks ?? []).map(({ task_id: id }) => {
            const own = counts.models.map(({ tasks }) => tasks.find((one) => one.task_id === id));
            const looked = own[search.model ?? 0];
            return (
              <tr key={id}>
                <th scope="row" title={report.tasks.find((task) => task.id === id)?.name}>
                  <Link to="/tasks/$taskId" params={{ taskId: String(id) }} search={{ tab: 'evaluation' }}>
                    {report.tasks.find((task) => task.id === id)?.name ?? id}
                  </Link>
                </th>
                {own.map((counted, place) => (
                  <td key={place}>
                    <button
                      type="button"
                      className={classes.plain}
                      onClick={() => onGo({ ...withoutFrames(search), model: place, task: id })}
                    >
                      {shown(counted?.f1, 2)}
                    </button>
                  </td>
                ))}
                {(['hits', 'missed', 'extra'] as const).map((name) => (
                  <td key={name}>{formatNumber(looked?.[name] ?? 0)}</td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </Card>
  );
}
