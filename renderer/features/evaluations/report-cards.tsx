import { Link } from '@tanstack/react-router';
import { isDetectionKind } from '../../../preload/contract/schema/evaluations.ts';
import { useText } from '../../i18n/index.ts';
import { formatFixed, formatNumber } from '../../i18n/language.ts';
import { Card, ModelChoice, shown, type ViewProps, withoutFrames } from './report-card.tsx';
import classes from './evaluations.module.css';
import { LongList } from '../../ui/long-list.tsx';

const percent = (share: number): string => formatNumber(share, { style: 'percent', maximumFractionDigits: 0 });

const ofObjects = 'evaluations.confusionNote';
const notes = {
  bbox: ofObjects,
  rotated: ofObjects,
  segm: ofObjects,
  keypoints: ofObjects,
  tags: 'evaluations.tagsNote',
  semantic: 'evaluations.pixelsNote',
  tracks: 'evaluations.tracksNote',
} as const;

export function Confusion({ report, counts, search, onGo }: ViewProps) {
  const t = useText();
  const model = counts.models[search.model ?? 0];
  if (!model) return null;
  const names = report.labels.map(({ name }) => name);
  const none = names.length;
  const most = Math.max(1, ...model.confusion.flat());
  return (
    <Card title={t('evaluations.confusion')} note={<ModelChoice report={report} search={search} onGo={onGo} />}>
      <div className={classes.scroll} tabIndex={0} role="region" aria-label={t('evaluations.confusion')}>
        <table className={classes.confusion}>
          <thead>
            <tr>
              <td />
              {[...names, t('evaluations.missed')].map((name) => (
                <th key={name} scope="col" title={name}>
                  <span>{name}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {model.confusion.map((row, truth) => (
              <tr key={truth}>
                <th scope="row" title={names[truth]}>
                  {names[truth] ?? t('evaluations.extra')}
                </th>
                {row.map((count, result) => {
                  if (count === 0) return <td key={result}>·</td>;
                  const what = truth === none || result === none ? 'none' : truth === result ? 'same' : 'mixed';
                  const cell = {
                    count: formatNumber(count),
                    truth: names[truth] ?? t('evaluations.nothing'),
                    result: names[result] ?? t('evaluations.nothing'),
                  };
                  return (
                    <td key={result}>
                      <button
                        type="button"
                        data-what={what}
                        // React's types do not know custom CSS properties.
                        style={{ '--share': `${Math.round(15 + 40 * (count / most))}%` } as React.CSSProperties}
                        aria-label={t('evaluations.cell', cell)}
                        onClick={() =>
                          onGo({
                            ...withoutFrames(search),
                            show: 'mixed',
                            truth: names[truth] ?? '',
                            result: names[result] ?? '',
                          })
                        }
                      >
                        {formatNumber(count)}
                      </button>
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className={classes.note}>{t(notes[report.kind])}</p>
    </Card>
  );
}

export function Scores({ report, counts, search, onGo }: ViewProps) {
  const t = useText();
  const model = counts.models[search.model ?? 0];
  if (!model) return null;
  const most = Math.max(1, ...model.scores.map(({ matched, extra }) => matched + extra));
  const bins = model.scores.length;
  return (
    <Card title={t('evaluations.scores')} note={<ModelChoice report={report} search={search} onGo={onGo} />}>
      <div className={classes.bars}>
        {model.scores.map(({ matched, extra }, bin) => {
          const [from, to] = [bin / bins, (bin + 1) / bins];
          const bounds = { from: formatFixed(from, 2), to: formatFixed(to, 2) };
          return (
            <button
              key={bin}
              type="button"
              disabled={matched + extra === 0}
              title={t('evaluations.bin', { ...bounds, matched, extra })}
              aria-label={t('evaluations.bin', { ...bounds, matched, extra })}
              onClick={() => onGo({ ...withoutFrames(search), from, to })}
            >
              <i data-what="extra" style={{ height: `${(100 * extra) / most}%` }} />
              <i data-what="matched" style={{ height: `${(100 * matched) / most}%` }} />
            </button>
          );
        })}
      </div>
      <div className={classes.ends}>
        <span>0</span>
        <span className={classes.legend}>
          <i data-what="matched" /> {t('evaluations.matched')} <i data-what="extra" /> {t('evaluations.extra')}
        </span>
        <span>1</span>
      </div>
    </Card>
  );
}

export function ByLabel({ report, search, onGo }: ViewProps) {
  const t = useText();
  const { labels, details, kind } = report;
  const all = isDetectionKind(kind) ? ['AP'] : Object.keys(details[0]?.labels[0] ?? {});
  // Side by side, only the main measure fits.
  const keys = details.length > 1 ? all.slice(0, 1) : all;
  return (
    <Card title={t('evaluations.byLabel')}>
      <div className={classes.scroll} tabIndex={0} role="region" aria-label={t('evaluations.byLabel')}>
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">{t('evaluations.label')}</th>
              <th scope="col">{t('evaluations.truths')}</th>
              {details.flatMap((_, place) =>
                keys.map((key) => (
                  <th key={`${place} ${key}`} scope="col">
                    <i data-model={place} /> {key}
                  </th>
                )),
              )}
              {details.length === 2 && <th scope="col">{t('evaluations.difference')}</th>}
            </tr>
          </thead>
          <LongList as="tbody" rowHeight={33}>
            {labels.map(({ name, color, truths }, place) => {
              const values = details.flatMap((own) => keys.map((key) => own.labels[place]?.[key]));
              const [one = -1, two = -1] = values;
              return (
                <tr key={name}>
                  <th scope="row" title={name}>
                    <i style={{ background: color }} />{' '}
                    <button
                      type="button"
                      className={classes.plain}
                      onClick={() => onGo({ ...withoutFrames(search), show: 'missed', truth: name })}
                    >
                      {name}
                    </button>
                  </th>
                  <td>{formatNumber(truths)}</td>
                  {values.map((value, index) => (
                    <td key={index}>{keys[index % keys.length] === 'IDSW' ? value : shown(value)}</td>
                  ))}
                  {details.length === 2 && <td>{one === -1 || two === -1 ? '–' : shownDifference(one - two)}</td>}
                </tr>
              );
            })}
          </LongList>
        </table>
      </div>
    </Card>
  );
}

const shownDifference = (value: number): string =>
  (value > 0 ? '+' : value < 0 ? '−' : '') + formatFixed(Math.abs(value), 3);

export function Sizes({ report, counts, search, onGo }: ViewProps) {
  const t = useText();
  return (
    <Card title={t('evaluations.missesBySize')} note={t('evaluations.share')}>
      {(['small', 'medium', 'large'] as const).map((size) => (
        <div key={size} className={classes.size}>
          <span>{t(`evaluations.${size}`)}</span>
          {counts.models.map(({ sizes }, place) => {
            const { missed = 0, truths = 0 } = sizes.find((one) => one.size === size) ?? {};
            const share = truths === 0 ? 0 : missed / truths;
            const words = {
              size: t(`evaluations.${size}`),
              model: report.models[place]?.name ?? '',
              share: percent(share),
              missed,
              truths,
            };
            return (
              <button
                key={place}
                type="button"
                disabled={missed === 0}
                aria-label={t('evaluations.missedOf', words)}
                title={t('evaluations.missedOf', words)}
                onClick={() => onGo({ ...withoutFrames(search), model: place, show: 'missed', size })}
              >
                <i>
                  <i data-model={place} style={{ width: percent(share).replace(/\s/g, '') }} />
                </i>
                <span>{truths === 0 ? '–' : percent(share)}</span>
              </button>
            );
          })}
        </div>
      ))}
    </Card>
  );
}

/** Heat map of missed objects: the stronger, the larger their share. */
export function Places({ report, counts, search, onGo }: ViewProps) {
  const t = useText();
  const model = counts.models[search.model ?? 0];
  if (!model) return null;
  return (
    <Card title={t('evaluations.places')} note={<ModelChoice report={report} search={search} onGo={onGo} />}>
      <div className={classes.places}>
        {model.places.map(({ truths, missed }, place) => (
          <button
            key={place}
            type="button"
            disabled={missed === 0}
            data-empty={truths === 0 || undefined}
            style={{ '--share': `${truths === 0 ? 0 : Math.round((100 * missed) / truths)}%` } as React.CSSProperties}
            title={t('evaluations.placeOf', { missed, truths })}
            aria-label={t('evaluations.placeOf', { missed, truths })}
            onClick={() => onGo({ ...withoutFrames(search), show: 'missed', place })}
          />
        ))}
      </div>
    </Card>
  );
}

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
