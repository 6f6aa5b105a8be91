import { IconMessageCircle, IconArrowRight, IconPlus, IconCheck, IconRotate2, IconTrash } from '@tabler/icons-react';
import { useQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState, type SyntheticEvent } from 'react';
import type { Job, DataMeta, Task } from '../../../../preload/contract/schema/resources.ts';
import type { Comment, Issue } from '../../../../preload/contract/schema/review.ts';
import { reviewQueries } from '../../../api/review-queries.ts';
import { useText } from '../../../i18n/index.ts';
import classes from '../../../shared/issues/issues.module.css';
import { useIssueActions, CommentView, ReplyForm, type IssueActions } from '../../../shared/issues/comments.tsx';
import { ListPages } from '../../../shared/lists/list-controls.tsx';
import type { ListAddress } from '../../../shared/lists/list-address.ts';
import { Group, SegmentedControl, Button, NumberInput, SmallButton, Text, Textarea, Badge } from '../../../ui/kit.ts';
import { Loaded } from '../../../ui/loaded.tsx';
import { LongList } from '../../../ui/long-list.tsx';
import { Empty, PageLoader, Problem } from '../../../ui/page.tsx';
import { call } from '../../../api/client.ts';
import { queries } from '../../../api/queries.ts';
import { FormError } from '../../../ui/form.tsx';
import { notify } from '../../../ui/notify.ts';
import { IconButton } from '../../../ui/icon-button.tsx';

interface FoundIssueProps {
  readonly issue: Issue;
  readonly comments: readonly Comment[];
  readonly job: Job | undefined;
}

function FoundIssue({ issue, comments, job }: FoundIssueProps) {
  const t = useText();
  const actions = useIssueActions();
  const { frame } = issue;
  return (
    <section className={classes.frame} aria-label={t('pages.issueJob', { job: issue.job, frame })}>
      <header className={classes.frameHead}>
        <div className={classes.frameName}>
          <div>{job?.task_name}</div>
          <div className={classes.when}>{t('pages.issueJob', { job: issue.job, frame })}</div>
        </div>
        {job !== undefined && (
          <Link
            to="/tasks/$taskId/jobs/$jobId"
            params={{ taskId: String(job.task_id), jobId: String(job.id) }}
            search={{ frame }}
            className={classes.toFrame}
          >
            {t('issues.openFrame', { frame })}
          </Link>
        )}
      </header>
      <IssueCard issue={issue} comments={comments} actions={actions} />
    </section>
  );
}

interface ProjectIssuesProps {
  readonly projectId: number;
  readonly search: ListAddress;
}

export function ProjectIssues({ projectId, search }: ProjectIssuesProps) {
  const t = useText();
  const [isOpen, setOpen] = useState(true);
  const issues = useQuery(reviewQueries.pageOfProject(projectId, isOpen, search.page ?? 1));
  return (
    <div className={classes.panel}>
      <Group>
        <SegmentedControl
          aria-label={t('issues.show')}
          data={[
            { value: 'open', label: t('issues.open') },
            { value: 'all', label: t('issues.all') },
          ]}
          value={isOpen ? 'open' : 'all'}
          onChange={(value) => setOpen(value === 'open')}
        />
      </Group>
      <Loaded query={issues}>
        {({ count, results, comments, jobs }) =>
          count === 0 ? (
            <Empty
              icon={<IconMessageCircle size={40} stroke={1.25} />}
              title={t(isOpen ? 'pages.noIssues' : 'issues.emptyTitle')}
              text={t('pages.noIssuesText')}
            />
          ) : (
            <>
              {results.map((issue) => (
                <FoundIssue
                  key={issue.id}
                  issue={issue}
                  comments={comments.filter((comment) => comment.issue === issue.id)}
                  job={jobs.get(issue.job)}
                />
              ))}
              <Group fz="xs" c="dimmed">
                <ListPages search={search} count={count} />
              </Group>
            </>
          )
        }
      </Loaded>
    </div>
  );
}

interface NewIssueFormProps {
  readonly jobs: readonly Job[];
  readonly meta: DataMeta;
  readonly onDone: () => void;
}

function NewIssueForm({ jobs, meta, onDone }: NewIssueFormProps) {
  const t = useText();
  const client = useQueryClient();
  const [frame, setFrame] = useState<number | string>(0);
  const [message, setMessage] = useState('');
  const job = jobs.find((one) => typeof frame === 'number' && one.start_frame <= frame && frame <= one.stop_frame);
  const create = useMutation({
    mutationFn: () => {
      const at = Number(frame);
      // All frames of a video have one size, listed once.
      const { width = 0, height = 0 } = meta.frames?.[at] ?? meta.frames?.[0] ?? {};
      return call('createIssue', {
        body: { job: job?.id ?? 0, frame: at, position: [0, 0, width, height], message: message.trim() },
      });
    },
    onSuccess: async (issue) => {
      notify.success(t('issues.created', { frame: issue.frame }));
      onDone();
      void client.invalidateQueries({ queryKey: ['jobs'] });
      await client.invalidateQueries({ queryKey: ['issues'] });
    },
  });
  const ready = job !== undefined && message.trim() !== '';
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (ready) create.mutate();
  };
  return (
    <form onSubmit={submit} className={classes.newIssue}>
      <Group gap="sm" align="flex-start" wrap="nowrap">
        <NumberInput
          w={104}
          label={t('issues.frame')}
          description={t('issues.frameHint', { last: meta.size - 1 })}
          min={0}
          max={meta.size - 1}
          allowDecimal={false}
          value={frame}
          onChange={setFrame}
        />
        <Textarea
          style={{ flex: 1 }}
          label={t('issues.message')}
          placeholder={t('issues.messagePlaceholder')}
          autosize
          autoFocus
          minRows={2}
          maxRows={10}
          value={message}
          onChange={setMessage}
          onKeyDown={(event) => event.key === 'Enter' && !event.shiftKey && submit(event)}
        />
      </Group>
      <FormError text={create.error?.message} />
      <Group gap="sm" justify="flex-end">
        <SmallButton onClick={onDone}>{t('common.cancel')}</SmallButton>
        <Button type="submit" size="xs" loading={create.isPending} disabled={!ready}>
          {t('issues.create')}
        </Button>
      </Group>
    </form>
  );
}

type Shown = 'open' | 'resolved' | 'all';

const frameGroups = (issues: readonly Issue[]): (readonly [number, readonly Issue[]])[] =>
  [...Map.groupBy(issues, (issue) => issue.frame)].toSorted(([first], [second]) => first - second);

interface FrameIssuesProps {
  readonly taskId: number;
  readonly frame: number;
  readonly name: string | undefined;
  readonly issues: readonly Issue[];
  readonly comments: readonly Comment[];
}

function FrameIssues({ taskId, frame, name, issues, comments }: FrameIssuesProps) {
  const t = useText();
  const actions = useIssueActions();
  const jobId = issues[0]?.job ?? 0;
  return (
    <section className={classes.frame} aria-label={t('issues.frameTitle', { frame })}>
      <header className={classes.frameHead}>
        <img
          className={classes.thumbnail}
          src={`/api/jobs/${jobId}/data?type=frame&number=${frame}&quality=compressed`}
          alt=""
          loading="lazy"
          decoding="async"
        />
        <div className={classes.frameName}>
          <div>{t('issues.frameTitle', { frame })}</div>
          <div className={classes.when}>{name}</div>
        </div>
        <Link
          to="/tasks/$taskId/jobs/$jobId"
          params={{ taskId: String(taskId), jobId: String(jobId) }}
          search={{ frame }}
          className={classes.toFrame}
        >
          {t('issues.openFrame', { frame })}
          <IconArrowRight size={14} />
        </Link>
      </header>
      <LongList as="div" rowHeight={180}>
        {issues.map((issue) => (
          <IssueCard
            key={issue.id}
            issue={issue}
            comments={comments.filter((comment) => comment.issue === issue.id)}
            actions={actions}
          />
        ))}
      </LongList>
    </section>
  );
}

interface IssuesPanelProps {
  readonly task: Task;
  readonly jobs: readonly Job[];
}

export function IssuesPanel({ task, jobs }: IssuesPanelProps) {
  const t = useText();
  const [shown, setShown] = useState<Shown>('open');
  const [creating, setCreating] = useState(false);
  const issues = useQuery({ ...reviewQueries.issues(task.id), refetchOnMount: 'always' });
  const all = issues.data?.results ?? [];
  const jobIds = [...new Set(all.map((issue) => issue.job))];
  const comments = useQuery({ ...reviewQueries.comments(jobIds), refetchOnMount: 'always' });
  const meta = useQuery(queries.taskMeta(task.id));
  if (issues.isPending) return <PageLoader label={t('app.loading')} />;
  if (issues.data === undefined) {
    return <Problem title={t('common.loadFailed')} message={issues.error} retry={issues.refetch} />;
  }
  const resolved = all.filter((issue) => issue.resolved);
  const open = all.filter((issue) => !issue.resolved);
  const lists = { open, resolved, all } as const;
  const groups = frameGroups(lists[shown]);
  const create = (
    <Button
      size="xs"
      leftSection={<IconPlus size={14} />}
      disabled={meta.data === undefined || jobs.length === 0}
      onClick={() => setCreating(true)}
    >
      {t('issues.new')}
    </Button>
  );
  return (
    <div className={classes.panel}>
      {all.length > 0 && (
        <Group justify="space-between">
          <SegmentedControl
            aria-label={t('issues.show')}
            data={(['open', 'resolved', 'all'] as const).map((value) => ({
              value,
              label: t('issues.count', { name: t(`issues.${value}`), count: lists[value].length }),
            }))}
            value={shown}
            // The values come from the list above.
            onChange={(value) => setShown(value as Shown)}
          />
          {!creating && create}
        </Group>
      )}
      {creating && meta.data !== undefined && (
        <NewIssueForm jobs={jobs} meta={meta.data} onDone={() => setCreating(false)} />
      )}
      {all.length === 0 && !creating && (
        <Empty
          icon={<IconMessageCircle size={40} stroke={1.25} />}
          title={t('issues.emptyTitle')}
          text={t('issues.emptyText')}
          action={create}
        />
      )}
      {all.length > 0 && groups.length === 0 && (
        <Text c="dimmed">{t(shown === 'resolved' ? 'issues.noneResolved' : 'issues.noneOpen')}</Text>
      )}
      <LongList as="div" className={classes.panel} rowHeight={300} gap={16}>
        {groups.map(([frame, list]) => (
          <FrameIssues
            key={frame}
            taskId={task.id}
            frame={frame}
            name={meta.data?.frames?.[frame]?.name}
            issues={list}
            comments={comments.data ?? []}
          />
        ))}
      </LongList>
    </div>
  );
}

interface IssueCardProps {
  readonly issue: Issue;
  readonly comments: readonly Comment[];
  readonly actions: IssueActions;
}

function IssueCard({ issue, comments, actions }: IssueCardProps) {
  const t = useText();
  const { id, resolved } = issue;
  return (
    <article className={classes.card} data-resolved={resolved || undefined} data-testid="issue">
      <div className={classes.cardHead}>
        <Badge variant="dot" color={resolved ? 'teal' : 'yellow'} size="sm" tt="none">
          {t(resolved ? 'issues.resolvedBadge' : 'issues.openBadge')}
        </Badge>
        <span className={classes.space} />
        <Button
          size="compact-xs"
          variant="default"
          leftSection={resolved ? <IconRotate2 size={14} /> : <IconCheck size={14} />}
          onClick={() => void actions.resolve(id, !resolved)}
        >
          {t(resolved ? 'issues.reopen' : 'issues.resolve')}
        </Button>
        <IconButton
          label={t('issues.delete')}
          size="sm"
          icon={<IconTrash size={15} stroke={1.5} />}
          onClick={() => void actions.remove(id)}
        />
      </div>
      {comments.map((comment, index) => (
        <CommentView
          key={comment.id}
          comment={comment}
          onEdit={(message) => actions.edit(comment.id, message)}
          onRemove={index === 0 ? undefined : () => void actions.removeComment(comment.id)}
        />
      ))}
      <ReplyForm onReply={(message) => actions.reply(id, message)} />
    </article>
  );
}
