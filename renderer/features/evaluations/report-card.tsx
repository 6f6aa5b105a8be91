import type { ReactNode } from 'react';
import type { EvaluationCountsAnswer, EvaluationReport } from '../../../preload/contract/schema/evaluations.ts';
import { useText } from '../../i18n/index.ts';
import { formatFixed } from '../../i18n/language.ts';
import { ChoiceField } from '../../ui/kit.ts';
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

export interface ReportAddress {
  readonly iou?: number;
  readonly score?: number;
  readonly model?: number;
  /** Frames behind a number; the following members are in the service's format. */
  readonly show?: 'matched' | 'missed' | 'extra' | 'mixed' | 'switched';
  /** Labels; empty means none. */
  readonly truth?: string;
  readonly result?: string;
  readonly size?: 'small' | 'medium' | 'large';
  readonly place?: number;
  readonly from?: number;
  readonly to?: number;
  /** Only for projects: restricts the frames to this task. */
  readonly task?: number;
  /** Only for projects: the task of the shown frame. */
  readonly of?: number;
}

type Search = Readonly<Record<string, unknown>>;

const numberIn = (value: unknown, least: number, most: number): number | undefined => {
  const number = typeof value === 'string' || typeof value === 'number' ? Number(value) : Number.NaN;
  return number >= least && number <= most ? number : undefined;
};
const oneOf = <Value extends string>(value: unknown, values: readonly Value[]): Value | undefined =>
  values.find((one) => one === value);
const labelOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;

export function reportAddress(search: Search): ReportAddress {
  const model = numberIn(search['model'], 0, 3);
  const place = numberIn(search['place'], 0, 63);
  const stated: { readonly [Name in keyof ReportAddress]: ReportAddress[Name] | undefined } = {
    iou: numberIn(search['iou'], 0.1, 1),
    score: numberIn(search['score'], 0, 1),
    model: model === undefined ? undefined : Math.trunc(model),
    show: oneOf(search['show'], ['matched', 'missed', 'extra', 'mixed', 'switched']),
    truth: labelOf(search['truth']),
    result: labelOf(search['result']),
    size: oneOf(search['size'], ['small', 'medium', 'large']),
    place: place === undefined ? undefined : Math.trunc(place),
    from: numberIn(search['from'], 0, 1),
    to: numberIn(search['to'], 0, 1),
    task: numberIn(search['task'], 0, Number.MAX_SAFE_INTEGER),
    of: numberIn(search['of'], 0, Number.MAX_SAFE_INTEGER),
  };
  // Names and values are those above.
  return Object.fromEntries(Object.entries(stated).filter(([, value]) => value !== undefined)) as ReportAddress;
}

export const thresholdOf = ({ iou = 0.5, score }: ReportAddress) => ({ iou, score });

export const withoutFrames = ({ iou, score, model }: ReportAddress): ReportAddress =>
  reportAddress({ iou, score, model });

export function framesQueryOf(address: ReportAddress, limit: number) {
  const { iou, score, model = 0, show = 'all' as const, truth, result, size, place, from, to, task } = address;
  const stated = { iou: iou ?? 0.5, score, truth, result, size, place, score_from: from, score_to: to, task_id: task };
  return {
    model,
    show,
    limit,
    ...(Object.fromEntries(Object.entries(stated).filter(([, value]) => value !== undefined)) as Partial<{
      // The names above with their values, without missing ones.
      iou: number;
      score: number;
      truth: string;
      result: string;
      size: 'small' | 'medium' | 'large';
      place: number;
      score_from: number;
      score_to: number;
      task_id: number;
    }>),
  };
}
