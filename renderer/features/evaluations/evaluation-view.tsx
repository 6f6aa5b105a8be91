import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { isDetectionKind } from '../../../preload/contract/schema/evaluations.ts';
import { evaluationQueries } from '../../api/evaluation-queries.ts';
import { useText } from '../../i18n/index.ts';
import { formatFixed, formatNumber } from '../../i18n/language.ts';
import { Button, Dimmed, Slider, SmallButton, VisuallyHidden } from '../../ui/kit.ts';
import { Measures } from '../../ui/panel.tsx';
import { LineChart, type Point } from '../../ui/chart.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { framesQueryOf, withoutFrames, Card, shown, type ViewProps } from './report-card.tsx';
import { ByTask, ByLabel, Confusion, Places, Scores, Sizes } from './report-cards.tsx';
import classes from './evaluations.module.css';

export function EvaluationView(props: ViewProps) {
  const { report } = props;
  if (!isDetectionKind(report.kind)) {
    return (
      <div className={classes.grid}>
        <Measured {...props} />
        <Confusion {...props} />
        <ByLabel {...props} />
        <ByTask {...props} />
        <Frames report={report} search={props.search} onGo={props.onGo} />
      </div>
    );
  }
  return (
    <div className={classes.grid}>
      <Measured {...props} />
      <Precision {...props} />
      <Threshold {...props} />
      <Confusion {...props} />
      <Scores {...props} />
      <ByLabel {...props} />
      <div className={classes.pair}>
        <Sizes {...props} />
        <Places {...props} />
      </div>
      <ByTask {...props} />
      <Frames report={report} search={props.search} onGo={props.onGo} />
    </div>
  );
}

/** Counts, not shares. */
const counted = new Set(['IDSW', 'Frag', 'MT', 'PT', 'ML']);

function Measured({ report, counts, search, onGo }: ViewProps) {
  const t = useText();
  const isOfObjects = isDetectionKind(report.kind);
  const names = Object.keys(report.models[0]?.measures ?? {}).filter((name) => name !== 'AR1' && name !== 'AR10');
  const rows: readonly [string, readonly (number | undefined)[]][] = [
    ...names.map((name) => [name, report.models.map(({ measures }) => measures?.[name])] as const),
    ...(isOfObjects
      ? [[t('evaluations.bestF1'), counts.models.map(({ curve }) => Math.max(...curve.map(({ f1 }) => f1)))] as const]
      : []),
  ].map(([name, values]) => [name, values]);
  return (
    <Measures least={92} className={classes.measures}>
      {rows.map(([name, values]) => (
        <div key={name}>
          <dt>{name}</dt>
          {values.map((value, place) => (
            <dd key={place}>
              <i data-model={place} />{' '}
              {name === 'IDSW' && value !== undefined && value > 0 ? (
                <button
                  type="button"
                  className={classes.plain}
                  title={t('evaluations.switches')}
                  onClick={() => onGo({ ...withoutFrames(search), model: place, show: 'switched' })}
                >
                  {formatNumber(value)}
                </button>
              ) : counted.has(name) ? (
                formatNumber(value ?? 0)
              ) : (
                shown(value)
              )}
            </dd>
          ))}
        </div>
      ))}
    </Measures>
  );
}

/** The service reports a missing value as -1. */
const pointOf = (x: number, y = -1): Point => ({ x, y: x < 0 || y < 0 ? null : y });
const twoDigits = (value: number): string => formatFixed(value, 2);
const shares = {
  isLarge: true,
  showsTitle: false,
  range: [0, 1],
  top: 1,
  shown: twoDigits,
  nameOf: twoDigits,
} as const;

function Precision({ report, counts, search }: ViewProps) {
  const t = useText();
  const { iou = 0.5 } = search;
  const lines = report.details.map(({ precision }) =>
    (precision.find(({ overlap }) => overlap === iou)?.values ?? []).map((y, at) => pointOf(at / 100, y)),
  );
  const marks = counts.models.map(({ all }) => pointOf(all.recall, all.precision));
  return (
    <Card title={t('evaluations.precisionByRecall')}>
      <LineChart
        {...shares}
        title={t('evaluations.precisionByRecall')}
        lines={lines}
        marks={marks}
        axis={t('evaluations.recall')}
      />
    </Card>
  );
}

function Threshold({ counts, report, search, onGo }: ViewProps) {
  const t = useText();
  const [moving, setMoving] = useState<number | null>(null);
  const score = moving ?? counts.score;
  const step = Math.round(score * 100);
  const best = counts.models.map((model) => formatFixed(model.best_score, 2)).join(' / ');
  return (
    <Card title={t('evaluations.f1ByThreshold')} note={t('evaluations.bestEach', { values: best })}>
      <LineChart
        {...shares}
        title={t('evaluations.f1ByThreshold')}
        lines={counts.models.map(({ curve }) => curve.map(({ f1 }, at) => pointOf(at / 100, f1)))}
        marks={counts.models.map(({ curve }) => pointOf(score, curve[step]?.f1))}
        cursor={score}
      />
      {/* Below the plot, so that the thumb is below the cursor. */}
      <Slider
        mt={8}
        ml={44}
        size="sm"
        min={0}
        max={1}
        step={0.01}
        label={null}
        thumbLabel={t('evaluations.threshold')}
        value={score}
        onChange={setMoving}
        onChangeEnd={(value) => {
          setMoving(null);
          onGo({ ...search, score: Math.round(value * 100) / 100 });
        }}
      />
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{t('evaluations.model')}</th>
            {(['threshold', 'precision', 'recall'] as const).map((name) => (
              <th key={name} scope="col">
                {t(`evaluations.${name}`)}
              </th>
            ))}
            <th scope="col">F1</th>
          </tr>
        </thead>
        <tbody>
          {counts.models.map(({ curve }, place) => (
            <tr key={place}>
              <th scope="row" title={report.models[place]?.name}>
                <i data-model={place} /> {report.models[place]?.name}
              </th>
              <td>{formatFixed(score, 2)}</td>
              <td>{shown(curve[step]?.precision, 2)}</td>
              <td>{shown(curve[step]?.recall, 2)}</td>
              <td>{shown(curve[step]?.f1, 2)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}

const page = 24;

function Frames({ report, search, onGo }: Pick<ViewProps, 'report' | 'search' | 'onGo'>) {
  const t = useText();
  const [limit, setLimit] = useState(page);
  const frames = useQuery(evaluationQueries.frames(report.id, framesQueryOf(search, limit)));
  const { show, truth, result, size, place, from, to, task } = search;
  const isOfProject = report.project_id !== null;
  const nameOfTask = (id: number | undefined) => report.tasks.find((one) => one.id === id)?.name;
  const nameOf = (label: string | undefined) => (label === '' ? undefined : label);
  const what = [
    show === 'mixed'
      ? `${nameOf(truth) ?? t('evaluations.extra')} → ${nameOf(result) ?? t('evaluations.missed')}`
      : show && t(`evaluations.${show}`),
    show === 'mixed' ? undefined : (nameOf(truth) ?? nameOf(result)),
    size && t(`evaluations.${size}`),
    place === undefined ? undefined : t('evaluations.places'),
    nameOfTask(task),
    from === undefined ? undefined : `${formatFixed(from, 2)}–${formatFixed(to ?? 1, 2)}`,
  ].filter((part) => part !== undefined);
  return (
    <section className={classes.card} data-wide id="frames">
      <h2>
        {what.length === 0 ? t('evaluations.worst') : t('evaluations.framesOf', { what: what.join(', ') })}
        <span>
          {frames.data && formatNumber(frames.data.count)}
          {what.length > 0 && (
            <Button size="compact-xs" variant="subtle" onClick={() => onGo(withoutFrames(search))}>
              {t('evaluations.showAll')}
            </Button>
          )}
        </span>
      </h2>
      <Loaded query={frames}>
        {({ count, results }) => (
          <>
            {count === 0 && <Dimmed>{t('evaluations.noFrames')}</Dimmed>}
            <ul className={classes.frames}>
              {results.map(({ task_id: of, frame, missed, extra, f1, switches }) => (
                <li key={`${of} ${frame}`}>
                  <Link
                    to="/evaluations/$evaluationId/frames/$frame"
                    params={{ evaluationId: String(report.id), frame: String(frame) }}
                    search={isOfProject ? { ...search, of } : search}
                    title={isOfProject ? nameOfTask(of) : undefined}
                    className={classes.frame}
                  >
                    <VisuallyHidden>
                      {t('evaluations.frameOf', { frame, missed, extra, f1: shown(f1, 2) })}
                    </VisuallyHidden>
                    <img
                      src={`/api/tasks/${of}/data?type=frame&number=${frame}&quality=compressed`}
                      alt=""
                      loading="lazy"
                    />
                    <span aria-hidden>
                      {frame}
                      <em data-what="missed">○ {missed}</em>
                      <em data-what="extra">+ {extra}</em>
                      {switches > 0 && <em title={t('evaluations.switched')}>⇄ {switches}</em>}
                      <b>{shown(f1, 2)}</b>
                    </span>
                  </Link>
                </li>
              ))}
            </ul>
            {count > results.length && results.length < 200 && (
              <SmallButton mt={8} onClick={() => setLimit(Math.min(200, limit + 2 * page))}>
                {t('evaluations.more')}
              </SmallButton>
            )}
          </>
        )}
      </Loaded>
    </section>
  );
}
