import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { ShapeType } from '../../../preload/contract/schema/annotations.ts';
import type { ComparedFrame, ComparedObject, EvaluationReport } from '../../../preload/contract/schema/evaluations.ts';
import { call } from '../../api/client.ts';
import { evaluationQueries } from '../../api/evaluation-queries.ts';
import { useText } from '../../i18n/index.ts';
import { isDrawn, objectPaths } from '../../shared/object-paths.ts';
import { Button, Dimmed, Hint, QuietButton, SegmentedControl, Stack, useHotkeys } from '../../ui/kit.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { notify } from '../../ui/notify.ts';
import { Page } from '../../ui/page.tsx';
import { ModelChoice, shown, framesQueryOf, thresholdOf, type ReportAddress } from './report-card.tsx';
import classes from './evaluations.module.css';

interface PageProps {
  readonly evaluationId: number;
  readonly frame: number;
  readonly search: ReportAddress;
}

/** A frame with matched, missed and extra objects, and actions on them. */
export function ComparedFramePage({ evaluationId, frame, search }: PageProps) {
  const t = useText();
  const report = useQuery(evaluationQueries.report(evaluationId));
  return (
    <Loaded query={report} page={t('evaluations.tab')}>
      {(measured) => <FrameView report={measured} frame={frame} search={search} />}
    </Loaded>
  );
}

interface Marked {
  readonly list: 'missed' | 'extra' | 'matched';
  readonly place: number;
}

function FrameView({
  report,
  frame,
  search,
}: {
  readonly report: EvaluationReport;
  readonly frame: number;
  readonly search: ReportAddress;
}) {
  const t = useText();
  const navigate = useNavigate();
  const [side, setSide] = useState<Side>('both');
  const [marked, setMarked] = useState<(Marked & { readonly frame: number; readonly of: number | undefined }) | null>(
    null,
  );
  const compared = useQuery({
    ...evaluationQueries.frame(report.id, frame, search.model ?? 0, thresholdOf(search), search.of),
    refetchOnMount: 'always',
  });
  const around = useQuery(evaluationQueries.frames(report.id, framesQueryOf(search, 200)));
  const frames = around.data?.results ?? [];
  const at = frames.findIndex((one) => one.frame === frame && (search.of === undefined || one.task_id === search.of));
  const params = (number: number) => ({ evaluationId: String(report.id), frame: String(number) });
  const step = (by: 1 | -1): void => {
    const next = at === -1 ? undefined : frames[at + by];
    if (next === undefined) return;
    void navigate({
      to: '/evaluations/$evaluationId/frames/$frame',
      params: params(next.frame),
      search: search.of === undefined ? search : { ...search, of: next.task_id },
      replace: true,
    });
  };
  useHotkeys([
    ['ArrowUp', () => step(-1)],
    ['ArrowDown', () => step(1)],
  ]);
  const mark = (next: Marked): void => setMarked({ ...next, frame, of: search.of });
  const own = marked?.frame === frame && marked.of === search.of ? marked : null;
  return (
    <Page
      title={t('evaluations.frame', { frame })}
      crumbs={
        <Link to="/evaluations/$evaluationId" params={{ evaluationId: String(report.id) }} search={search}>
          {report.name}
        </Link>
      }
      actions={
        <>
          {at !== -1 && (
            <Dimmed>{t('evaluations.place', { number: at + 1, count: around.data?.count ?? frames.length })}</Dimmed>
          )}
          <IconButton
            label={t('evaluations.previous')}
            icon={<IconChevronLeft size={18} />}
            disabled={at < 1}
            onClick={() => step(-1)}
          />
          <IconButton
            label={t('evaluations.next')}
            icon={<IconChevronRight size={18} />}
            disabled={at === -1 || at >= frames.length - 1}
            onClick={() => step(1)}
          />
        </>
      }
      strip={
        <div className={classes.strip}>
          <ModelChoice
            report={report}
            search={search}
            onGo={(next) =>
              void navigate({
                to: '/evaluations/$evaluationId/frames/$frame',
                params: params(frame),
                search: search.of === undefined ? next : { ...next, of: search.of },
                replace: true,
              })
            }
          />
          <SegmentedControl
            size="xs"
            aria-label={t('evaluations.picture')}
            value={side}
            data={[
              { value: 'truth', label: t('evaluations.truth') },
              { value: 'both', label: t('evaluations.both') },
              { value: 'results', label: t('evaluations.predictions') },
            ]}
            onChange={(next) => setSide(next === 'truth' || next === 'results' ? next : 'both')}
          />
        </div>
      }
    >
      <Loaded query={compared}>
        {(seen) => (
          <div className={classes.compared}>
            <ComparedImage taskId={seen.task_id} seen={seen} side={side} marked={own} onMark={mark} />
            <aside className={classes.side}>
              <Lists seen={seen} marked={own} onMark={mark} />
              <Mend report={report} seen={seen} marked={own} />
            </aside>
          </div>
        )}
      </Loaded>
    </Page>
  );
}

interface ListsProps {
  readonly seen: ComparedFrame;
  readonly marked: Marked | null;
  readonly onMark: (marked: Marked) => void;
}

function Lists({ seen, marked, onMark }: ListsProps) {
  const t = useText();
  const isOfTags = [...seen.matched, ...seen.missed].some(({ truth }) => truth.type === 'tag');
  const truths = [...seen.matched, ...seen.missed].map(({ truth }) => truth);
  const iou = (value: number): string =>
    isOfTags ? '' : value === 0 ? t('evaluations.noOverlap') : t('evaluations.iou', { value: shown(value, 2) });
  const rows = {
    missed: seen.missed.map(({ truth, best_overlap: best }) => ({ name: truth.label, note: '', value: iou(best) })),
    extra: seen.extra.map(({ result, near }) => ({
      name: result.label,
      note: near === -1 ? '' : t('evaluations.near', { label: truths[near]?.label ?? '' }),
      value: result.type === 'tag' ? '' : shown(result.score, 2),
    })),
    matched: seen.matched.map(({ truth, result, overlap }) => ({
      name: truth.label,
      note: isOfTags ? '' : t('evaluations.score', { value: shown(result.score, 2) }),
      value: iou(overlap),
    })),
  };
  return (['missed', 'extra', 'matched'] as const).map((list) => (
    <section key={list} className={classes.list}>
      <h2>
        {t(`evaluations.${list}`)} <span>{rows[list].length}</span>
      </h2>
      <ul>
        {rows[list].map(({ name, note, value }, place) => (
          <li key={place}>
            <button
              type="button"
              aria-pressed={marked?.list === list && marked.place === place}
              onClick={() => onMark({ list, place })}
            >
              <i data-what={list} aria-hidden>
                {list === 'missed' ? '○' : list === 'extra' ? '+' : '✓'}
              </i>
              {name} <small>{note}</small> <b>{value}</b>
            </button>
          </li>
        ))}
      </ul>
    </section>
  ));
}

function Mend({
  report,
  seen,
  marked,
}: {
  readonly report: EvaluationReport;
  readonly seen: ComparedFrame;
  readonly marked: Marked | null;
}) {
  const t = useText();
  const client = useQueryClient();
  const { job_id: jobId, frame } = seen;
  const refresh = () => client.invalidateQueries({ queryKey: ['evaluations', report.id] });
  const failed = (error: Error): void => notify.failure(t('evaluations.frame', { frame }), error);
  const accept = useMutation({
    mutationFn: (object: ComparedObject) =>
      call('changeJobAnnotations', {
        params: { id: jobId ?? 0 },
        query: { action: 'create' },
        body: isDrawn(object)
          ? { shapes: [shapeOf(object, frame)] }
          : { tags: [{ frame, label_id: object.label_id, source: 'auto' }] },
      }),
    async onSuccess() {
      notify.success(t('evaluations.accepted'));
      await refresh();
    },
    onError: failed,
  });
  const replace = useMutation({
    async mutationFn({ object, shapeId }: { readonly object: ComparedShape; readonly shapeId: number }) {
      const query = { frame, without: 'tracks' } as const;
      const stored = await call('getJobAnnotations', { params: { id: jobId ?? 0 }, query });
      const shape = stored.shapes.find(({ id }) => id === shapeId);
      if (!shape) throw new Error(t('evaluations.ofTrack'));
      const { type, points, rotation, elements } = shapeOf(object, frame);
      const mended = { ...shape, type, points, rotation, elements };
      return call('changeJobAnnotations', {
        params: { id: jobId ?? 0 },
        query: { action: 'update' },
        body: { shapes: [mended] },
      });
    },
    async onSuccess() {
      notify.success(t('evaluations.replaced'));
      await refresh();
    },
    onError: failed,
  });
  if (jobId === null) return null;
  const extra = marked?.list === 'extra' ? seen.extra[marked.place] : undefined;
  const truth =
    extra === undefined || extra.near === -1 ? undefined : [...seen.matched, ...seen.missed][extra.near]?.truth;
  return (
    <Stack gap="xs" className={classes.mend ?? ''}>
      {extra !== undefined && (
        <>
          <Button loading={accept.isPending} onClick={() => accept.mutate(extra.result)}>
            {t('evaluations.accept')}
          </Button>
          {truth !== undefined && truth.shape_id !== null && isDrawn(extra.result) && (
            <QuietButton
              loading={replace.isPending}
              onClick={() =>
                isDrawn(extra.result) && replace.mutate({ object: extra.result, shapeId: truth.shape_id ?? 0 })
              }
            >
              {t('evaluations.replace', { label: truth.label })}
            </QuietButton>
          )}
          {truth?.shape_id === null && <Hint>{t('evaluations.ofTrack')}</Hint>}
        </>
      )}
      <Link
        to="/tasks/$taskId/jobs/$jobId"
        params={{ taskId: String(seen.task_id), jobId: String(jobId) }}
        search={{ frame }}
      >
        {t('evaluations.mend')}
      </Link>
    </Stack>
  );
}

type ComparedShape = ComparedObject & { readonly type: ShapeType };

/** Keeps the prediction's values; it counts as ground truth from now on. */
const shapeOf = ({ type, label_id, points, rotation, elements }: ComparedShape, frame: number) => ({
  type,
  frame,
  label_id,
  points,
  rotation,
  source: 'auto' as const,
  elements: elements.map((element) => ({ ...element, type: 'points' as const, frame, source: 'auto' as const })),
});

export type Side = 'truth' | 'both' | 'results';

interface PictureProps {
  readonly taskId: number;
  readonly seen: ComparedFrame;
  readonly side: Side;
  readonly marked: { readonly list: 'missed' | 'extra' | 'matched'; readonly place: number } | null;
  readonly onMark: (marked: { readonly list: 'missed' | 'extra' | 'matched'; readonly place: number }) => void;
}

/** The frame with matched, missed and extra objects, also distinguished by line style. */
export function ComparedImage({ taskId, seen, side, marked, onMark }: PictureProps) {
  const t = useText();
  const { width, height, frame, matched, missed, extra } = seen;
  const pixel = Math.max(width / 1100, height / 750);
  const isMarked = (list: string, place: number) => (marked?.list === list && marked.place === place) || undefined;
  const [showsTruth, showsResults] = [side !== 'results', side !== 'truth'];
  const draw = (
    object: ComparedObject,
    what: string,
    list: 'missed' | 'extra' | 'matched',
    place: number,
    text: string,
  ) => {
    // Tags are only in the list.
    if (!isDrawn(object)) return null;
    const { area, line, dot, left, top } = objectPaths(object, pixel);
    return (
      <g
        key={`${what} ${place}`}
        className={classes.object}
        data-what={what}
        data-marked={isMarked(list, place)}
        onClick={() => onMark({ list, place })}
      >
        <path d={area + line + dot} fillRule="evenodd" vectorEffect="non-scaling-stroke" />
        {text !== '' && <Tag x={left} y={top} text={text} pixel={pixel} />}
      </g>
    );
  };
  return (
    <svg
      className={classes.picture}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={t('evaluations.picture')}
    >
      <image
        href={`/api/tasks/${taskId}/data?type=frame&number=${frame}&quality=original`}
        width={width}
        height={height}
      />
      {showsTruth && matched.map(({ truth }, place) => draw(truth, 'truth', 'matched', place, ''))}
      {showsResults &&
        matched.map(({ result, overlap }, place) => draw(result, 'matched', 'matched', place, shown(overlap, 2)))}
      {showsTruth && missed.map(({ truth }, place) => draw(truth, 'missed', 'missed', place, t('evaluations.missed')))}
      {showsResults &&
        extra.map(({ result }, place) =>
          draw(result, 'extra', 'extra', place, `${t('evaluations.extra')} ${shown(result.score, 2)}`),
        )}
    </svg>
  );
}

interface TagProps {
  /** Upper left corner of the object. */
  readonly x: number;
  readonly y: number;
  readonly text: string;
  readonly pixel: number;
}

function Tag({ x, y, text, pixel }: TagProps) {
  const size = 12 * pixel;
  return (
    <g className={classes.tag}>
      <rect
        x={x}
        y={Math.max(0, y - size * 1.6)}
        width={size * (0.62 * text.length + 0.8)}
        height={size * 1.5}
        rx={3 * pixel}
      />
      <text x={x + size * 0.4} y={Math.max(0, y - size * 1.6) + size * 1.08} fontSize={size}>
        {text}
      </text>
    </g>
  );
}
