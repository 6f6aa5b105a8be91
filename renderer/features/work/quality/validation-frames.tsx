import { IconArrowsShuffle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Job, Task, TaskValidationLayout } from '../../../../preload/contract/schema/resources.ts';
import { call } from '../../../api/client.ts';
import { qualityQueries } from '../../../api/quality-queries.ts';
import { useText } from '../../../i18n/index.ts';
import { formatNumber } from '../../../i18n/language.ts';
import { useChange } from '../../../shared/use-change.ts';
import { ask } from '../../../ui/confirm.tsx';
import { Dimmed, SmallButton, Switch } from '../../../ui/kit.ts';
import { Loaded } from '../../../ui/loaded.tsx';
import { SectionHead } from '../../../ui/section-head.tsx';
import { DataTable, RowActions } from '../../../ui/table.tsx';
import classes from './validation.module.css';

interface ValidationFramesProps {
  readonly task: Task;
  readonly jobs: readonly Job[];
}

interface Honeypot {
  readonly frame: number;
  /** Frame of the pool whose image it repeats. */
  readonly real: number;
}

const honeypotsOf = ({
  honeypot_frames: frames = [],
  honeypot_real_frames: real = [],
}: TaskValidationLayout): Honeypot[] => frames.map((frame, at) => ({ frame, real: real[at] ?? frame }));

/** Validation frames of a task, and the honeypots of its jobs. Empty for users who may not know them. */
export function ValidationFrames({ task, jobs }: ValidationFramesProps) {
  const layout = useQuery(qualityQueries.validation(task.id));
  const truth = jobs.find(({ type }) => type === 'ground_truth');
  if (layout.error?.name === 'ApiError' && Reflect.get(layout.error, 'kind') === 'forbidden') return null;
  return (
    <Loaded query={layout}>
      {(found) =>
        found.mode === null || truth === undefined ? null : (
          <>
            <Frames task={task} truth={truth} layout={found} />
            {found.mode === 'gt_pool' && <Honeypots task={task} jobs={jobs} layout={found} />}
          </>
        )
      }
    </Loaded>
  );
}

const imageOf = (taskId: number, frame: number): string =>
  `/api/tasks/${taskId}/data?type=frame&number=${frame}&quality=compressed`;

const page = 24;

interface FramesProps {
  readonly task: Task;
  readonly truth: Job;
  readonly layout: TaskValidationLayout;
}

function Frames({ task, truth, layout }: FramesProps) {
  const t = useText();
  const [limit, setLimit] = useState(page);
  const frames = layout.validation_frames ?? [];
  const disabled = new Set(layout.disabled_frames);
  const uses = Map.groupBy(honeypotsOf(layout), ({ real }) => real);
  const isPool = layout.mode === 'gt_pool';
  const change = useChange(
    (next: readonly number[]) =>
      call('updateTaskValidationLayout', { params: { id: task.id }, body: { disabled_frames: [...next] } }),
    { reloads: [['quality', 'validation']], failed: t('validation.title') },
  );
  const note = t(isPool ? 'validation.poolText' : 'validation.framesText');
  const counts = t('validation.counts', { count: frames.length, disabled: formatNumber(disabled.size) });
  return (
    <section>
      <SectionHead title={t(isPool ? 'validation.poolTitle' : 'validation.title')}>
        {note} {counts}
      </SectionHead>
      <ul className={classes.frames}>
        {frames.slice(0, limit).map((frame) => (
          <li key={frame} data-off={disabled.has(frame) || undefined}>
            <Link
              to="/tasks/$taskId/jobs/$jobId"
              params={{ taskId: String(task.id), jobId: String(truth.id) }}
              search={{ frame }}
              aria-label={t('validation.openFrame', { frame })}
            >
              <img src={imageOf(task.id, frame)} alt="" loading="lazy" decoding="async" />
            </Link>
            <span className={classes.caption}>
              <span>
                {t('quality.frame', { frame })}
                {isPool && <small>{t('validation.uses', { count: uses.get(frame)?.length ?? 0 })}</small>}
              </span>
              <Switch
                size="xs"
                aria-label={t('validation.useFrame', { frame })}
                checked={!disabled.has(frame)}
                disabled={change.isPending}
                onChange={(isOn) =>
                  change.mutate(
                    isOn
                      ? [...disabled].filter((one) => one !== frame)
                      : [...disabled, frame].toSorted((a, b) => a - b),
                  )
                }
              />
            </span>
          </li>
        ))}
      </ul>
      {frames.length > limit && (
        <SmallButton mt={8} onClick={() => setLimit(limit + 4 * page)}>
          {t('quality.more')} ({formatNumber(frames.length - limit)})
        </SmallButton>
      )}
    </section>
  );
}

function Honeypots({ task, jobs, layout }: ValidationFramesProps & { readonly layout: TaskValidationLayout }) {
  const t = useText();
  const honeypots = honeypotsOf(layout);
  const disabled = new Set(layout.disabled_frames);
  const old = honeypots.filter(({ real }) => disabled.has(real)).length;
  const own = jobs.filter(({ type }) => type === 'annotation').toSorted((a, b) => a.start_frame - b.start_frame);
  const shuffle = useChange(
    (jobId: number | null): Promise<unknown> => {
      const body = { frame_selection_method: 'random_uniform' } as const;
      return jobId === null
        ? call('updateTaskValidationLayout', { params: { id: task.id }, body })
        : call('updateJobValidationLayout', { params: { id: jobId }, body });
    },
    { reloads: [['quality', 'validation'], 'jobs'], failed: t('validation.honeypotsTitle') },
  );
  const askShuffle = async (jobId: number | null): Promise<void> => {
    const isSure = await ask({
      title: jobId === null ? t('validation.shuffleAllTitle') : t('validation.shuffleTitle', { id: jobId }),
      text: t('validation.shuffleText'),
      confirm: t('validation.shuffle'),
    });
    if (isSure) shuffle.mutate(jobId);
  };
  return (
    <section>
      <SectionHead
        title={t('validation.honeypotsTitle')}
        action={
          <SmallButton
            leftSection={<IconArrowsShuffle size={14} />}
            loading={shuffle.isPending && shuffle.variables === null}
            onClick={() => void askShuffle(null)}
          >
            {t('validation.shuffleAll')}
          </SmallButton>
        }
      >
        {t('validation.honeypotsText')} {old > 0 && <b>{t('validation.outdated', { count: old })}</b>}
      </SectionHead>
      <DataTable label={t('validation.honeypotsTitle')} columns={[t('quality.job'), t('validation.repeats')]}>
        {own.map((job) => {
          const inJob = honeypots.filter(({ frame }) => frame >= job.start_frame && frame <= job.stop_frame);
          return (
            <tr key={job.id} className={classes.row}>
              <th scope="row" className={classes.job}>
                <Link
                  to="/tasks/$taskId/jobs/$jobId"
                  params={{ taskId: String(task.id), jobId: String(job.id) }}
                  search={{}}
                >
                  {t('quality.jobOf', { id: job.id })}
                </Link>
              </th>
              <td>
                {inJob.length === 0 ? (
                  <Dimmed>{t('validation.noHoneypots')}</Dimmed>
                ) : (
                  <ul className={classes.honeypots}>
                    {inJob.map(({ frame, real }) => (
                      <li key={frame} data-off={disabled.has(real) || undefined}>
                        <img src={imageOf(task.id, real)} alt="" loading="lazy" decoding="async" />
                        <span>
                          {t('quality.frame', { frame })}
                          <small>{t('validation.repeatsFrame', { frame: real })}</small>
                        </span>
                      </li>
                    ))}
                  </ul>
                )}
              </td>
              <RowActions>
                <SmallButton
                  aria-label={t('validation.shuffleJob', { id: job.id })}
                  leftSection={<IconArrowsShuffle size={14} />}
                  loading={shuffle.isPending && shuffle.variables === job.id}
                  disabled={inJob.length === 0}
                  onClick={() => void askShuffle(job.id)}
                >
                  {t('validation.shuffle')}
                </SmallButton>
              </RowActions>
            </tr>
          );
        })}
      </DataTable>
    </section>
  );
}
