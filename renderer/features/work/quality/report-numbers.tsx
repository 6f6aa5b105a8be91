import {
  conflictTypes,
  type ConflictType,
  type QualityChoices,
  type QualityReport,
} from '../../../../preload/contract/schema/quality.ts';
import { useText } from '../../../i18n/index.ts';
import { formatNumber } from '../../../i18n/language.ts';
import { Title } from '../../../ui/kit.ts';
import { Measures } from '../../../ui/panel.tsx';
import { NumberCell } from '../../../ui/table.tsx';
import type { WantedConflicts } from './conflict-list.tsx';
import classes from './quality.module.css';

const percent = (share: number): string =>
  formatNumber(share, { style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 });

interface ReportNumbersProps {
  readonly report: QualityReport;
  readonly settings: QualityChoices | null | undefined;
  /** Without it, conflicts are only counted. */
  readonly onGo?: (wanted: WantedConflicts) => void;
}

export function ReportNumbers({ report: { summary }, settings, onGo }: ReportNumbersProps) {
  const t = useText();
  return (
    <Measures least={104} className={classes.numbers}>
      {(['accuracy', 'precision', 'recall'] as const).map((name) => (
        <div key={name}>
          <dt>{t(`quality.${name}`)}</dt>
          <dd>{percent(summary[name])}</dd>
          {settings?.target_metric === name && (
            <dd
              className={classes.target}
              data-reached={summary[name] >= settings.target_metric_threshold || undefined}
            >
              {`${t('quality.target', { share: percent(settings.target_metric_threshold) })}: ${t(
                summary[name] >= settings.target_metric_threshold ? 'quality.reached' : 'quality.notReached',
              )}`}
            </dd>
          )}
        </div>
      ))}
      {(
        [
          ['conflicts', summary.conflict_count, {}],
          ['errors', summary.error_count, { severity: 'error' }],
          ['warnings', summary.warning_count, { severity: 'warning' }],
        ] as const
      ).map(([name, count, which]) => (
        <div key={name}>
          <dt>{t(`quality.${name}`)}</dt>
          <dd>
            {onGo === undefined ? (
              formatNumber(count)
            ) : (
              <button type="button" disabled={count === 0} onClick={() => onGo(which)}>
                {formatNumber(count)}
              </button>
            )}
          </dd>
        </div>
      ))}
      <div>
        <dt>{t('quality.frames')}</dt>
        <dd>
          {t('quality.framesOf', {
            count: formatNumber(summary.validation_frames),
            all: formatNumber(summary.total_frames),
          })}
        </dd>
      </div>
    </Measures>
  );
}

/** Conflicts by kind; without `onGo` they are only counted. */
export function Kinds({
  report,
  onGo,
}: {
  readonly report: QualityReport;
  readonly onGo?: (type: ConflictType) => void;
}) {
  const t = useText();
  const counts = report.summary.conflicts_by_type;
  const most = Math.max(1, ...Object.values(counts));
  const found = conflictTypes.filter((type) => (counts[type] ?? 0) > 0);
  if (found.length === 0) return null;
  return (
    <section>
      <Title order={2}>{t('quality.byKind')}</Title>
      <ul className={classes.kinds}>
        {found.map((type) => (
          <li key={type}>
            <button type="button" disabled={onGo === undefined} onClick={() => onGo?.(type)}>
              <span>{t(`quality.kinds.${type}`)}</span>
              <i>
                <i style={{ width: `${(100 * (counts[type] ?? 0)) / most}%` }} />
              </i>
              <b>{formatNumber(counts[type] ?? 0)}</b>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

const numberNames = ['accuracy', 'precision', 'recall', 'right', 'objects', 'conflicts'] as const;

export function useColumns(first: 'job' | 'task' | 'annotator', more: readonly ('annotator' | 'frames')[]) {
  const t = useText();
  const columns = [first, ...more, ...numberNames].map((name) => t(`quality.${name}`));
  return { columns, numbers: new Set([...numberNames, 'frames' as const].map((name) => t(`quality.${name}`))) };
}

export type Counted = Pick<
  QualityReport['summary'],
  'accuracy' | 'precision' | 'recall' | 'valid_count' | 'ds_count' | 'conflict_count'
>;

export const Numbers = ({ summary, onGo }: { readonly summary: Counted; readonly onGo?: () => void }) => (
  <>
    {(['accuracy', 'precision', 'recall'] as const).map((name) => (
      <NumberCell key={name}>{percent(summary[name])}</NumberCell>
    ))}
    <NumberCell>{formatNumber(summary.valid_count)}</NumberCell>
    <NumberCell>{formatNumber(summary.ds_count)}</NumberCell>
    <NumberCell>
      {onGo === undefined ? (
        formatNumber(summary.conflict_count)
      ) : (
        <button type="button" className={classes.plain} disabled={summary.conflict_count === 0} onClick={onGo}>
          {formatNumber(summary.conflict_count)}
        </button>
      )}
    </NumberCell>
    <td />
  </>
);
