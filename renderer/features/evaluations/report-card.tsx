import type { ReactNode } from 'react';
import type { EvaluationCountsAnswer, EvaluationReport } from '../../../preload/contract/schema/evaluations.ts';
import { useText } from '../../i18n/index.ts';
import { formatFixed } from '../../i18n/language.ts';
import { ChoiceField } from '../../ui/kit.ts';
import type { ReportAddress } from './report-address.ts';
import classes from './evaluations.module.css';

export interface ViewProps {
  readonly report: EvaluationReport;
  readonly counts: EvaluationCountsAnswer;
  readonly search: ReportAddress;
  readonly onGo: (search: ReportAddress) => void;
}

/** −1 means a missing value. */
export const shown = (value: number | undefined, digits = 3): string =>
  value === undefined || value === -1 ? '–' : formatFixed(value, digits);

export function Card(props: {
  readonly title: string;
  readonly note?: ReactNode;
  readonly wide?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <section className={classes.card} data-wide={props.wide || undefined}>
      <h2>
        {props.title}
        {props.note !== undefined && <span>{props.note}</span>}
      </h2>
      {props.children}
    </section>
  );
}

export function ModelChoice({ report, search, onGo }: Pick<ViewProps, 'report' | 'search' | 'onGo'>) {
  const t = useText();
  if (report.models.length < 2) return null;
  return (
    <ChoiceField
      aria-label={t('evaluations.model')}
      size="xs"
      w={150}
      data={report.models.map(({ name }, place) => ({ value: String(place), label: name }))}
      value={String(search.model ?? 0)}
      onChange={(model) => onGo({ ...search, model: Number(model) })}
    />
  );
}
