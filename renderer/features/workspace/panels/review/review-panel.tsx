import type { Issue } from '../../../../../preload/contract/schema/review.ts';
import { useText } from '../../../../i18n/index.ts';
import { formatWhen } from '../../../../shared/format-text.ts';
import { userName } from '../../../../shared/people/people.tsx';
import { Checkbox, Stack, Text, UnstyledButton } from '../../../../ui/kit.ts';
import { LongList } from '../../../../ui/long-list.tsx';
import { Problem } from '../../../../ui/page.tsx';
import { useAnnotate, useSession } from '../session-context.ts';
import inspector from '../inspector/inspector.module.css';
import classes from './review.module.css';
import { useThreads, useReview } from './use-review.ts';
import { useQuery } from '@tanstack/react-query';
import { qualityQueries } from '../../../../api/quality-queries.ts';

function ConflictRows() {
  const t = useText();
  const { review, job } = useSession();
  const frame = useAnnotate((state) => state.frame);
  const chosen = useReview((state) => state.conflict);
  const found = useQuery({ ...qualityQueries.ofJob(job.id), refetchOnMount: 'always', retry: false }).data;
  if (!found || found.conflicts.length === 0) return null;
  const rows = found.conflicts.toSorted((a, b) => Number(b.frame === frame) - Number(a.frame === frame));
  return (
    <>
      <h2 className={classes.group}>
        {t('quality.inReview')} · {formatWhen(found.report.created_date)}
      </h2>
      <LongList as="ul" className={classes.list} rowHeight={45}>
        {rows.map((conflict) => (
          <li key={conflict.id}>
            <UnstyledButton
              className={classes.row ?? ''}
              data-testid="conflict-row"
              data-severity={conflict.severity}
              aria-current={conflict.id === chosen}
              onClick={() => void review.lookAt(conflict)}
            >
              <span className={classes.number} aria-hidden>
                {conflict.severity === 'error' ? '!' : '~'}
              </span>
              <Stack gap={0} miw={0}>
                <Text span inherit truncate>
                  {t(`quality.kinds.${conflict.type}`)}
                </Text>
                <Text span inherit fz={12} c="dimmed">
                  {t(`quality.severity.${conflict.severity}`)} · {t('quality.frame', { frame: conflict.frame })}
                </Text>
              </Stack>
            </UnstyledButton>
          </li>
        ))}
      </LongList>
    </>
  );
}

type Threads = ReturnType<typeof useThreads>;

const Row = ({ issue, threads }: { readonly issue: Issue; readonly threads: Threads }) => {
  const t = useText();
  const { review } = useSession();
  const chosen = useReview((state) => state.chosen);
  const frame = useAnnotate((state) => state.frame);
  const [first, ...answers] = threads.commentsOf(issue.id);
  const about = [
    ...(issue.frame === frame ? [] : [t('issues.frameTitle', { frame: issue.frame })]),
    issue.owner === null ? t('issues.somebody') : userName(issue.owner),
    ...(issue.created_date === null ? [] : [formatWhen(issue.created_date)]),
    ...(answers.length === 0 ? [] : [t('modes.review.answers', { count: answers.length })]),
  ];
  return (
    <li>
      <UnstyledButton
        className={classes.row ?? ''}
        data-testid="issue-row"
        data-resolved={issue.resolved || undefined}
        aria-current={issue.id === chosen}
        onClick={() => void review.choose(issue.id)}
      >
        <span className={classes.number}>{threads.numberOf(issue.id)}</span>
        <Stack gap={0} miw={0}>
          <Text span inherit truncate>
            {first?.message ?? ''}
          </Text>
          <Text span inherit fz={12} c="dimmed">
            {about.join(' · ')}
          </Text>
        </Stack>
      </UnstyledButton>
    </li>
  );
};

export function ReviewPanel() {
  const t = useText();
  const { review, job } = useSession();
  const frame = useAnnotate((state) => state.frame);
  const showResolved = useReview((state) => state.showResolved);
  const threads = useThreads();
  const shown = threads.all.filter(({ resolved }) => showResolved || !resolved);
  const here = shown.filter((issue) => issue.frame === frame);
  const elsewhere = shown.filter((issue) => issue.frame !== frame);
  const withIssue = new Set(threads.all.map((issue) => issue.frame)).size;
  if (threads.failed !== null) {
    return <Problem title={t('modes.review.listFailed')} message={threads.failed.message} retry={threads.retry} />;
  }
  const group = (name: string, list: readonly Issue[]) =>
    list.length > 0 && (
      <>
        <h2 className={classes.group}>{name}</h2>
        <LongList as="ul" className={classes.list} rowHeight={45}>
          {list.map((issue) => (
            <Row key={issue.id} issue={issue} threads={threads} />
          ))}
        </LongList>
      </>
    );
  return (
    <>
      <Checkbox
        size="xs"
        flex="none"
        p={8}
        label={t('modes.review.showResolved', { count: threads.all.filter(({ resolved }) => resolved).length })}
        checked={showResolved}
        onChange={(isOn) => review.state.setState({ showResolved: isOn })}
      />
      <div className={inspector.scroll}>
        {group(t('modes.review.thisFrame'), here)}
        {group(t('modes.review.otherFrames'), elsewhere)}
        <ConflictRows />
        {shown.length === 0 && (
          <Text fz="sm" c="dimmed" p={16}>
            {t('modes.review.none')}
          </Text>
        )}
      </div>
      <div className={classes.foot}>{t('modes.review.frames', { count: withIssue, all: job.frame_count })}</div>
    </>
  );
}
