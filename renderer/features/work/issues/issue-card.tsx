import { IconCheck, IconRotate2, IconTrash } from '@tabler/icons-react';
import type { Comment, Issue } from '../../../../preload/contract/schema/review.ts';
import { useText } from '../../../i18n/index.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Badge, Button } from '../../../ui/kit.ts';
import { CommentView } from '../../../shared/issues/comment-view.tsx';
import classes from '../../../shared/issues/issues.module.css';
import { ReplyForm } from '../../../shared/issues/reply-form.tsx';
import type { IssueActions } from '../../../shared/issues/use-issue-actions.ts';

interface IssueCardProps {
  readonly issue: Issue;
  readonly comments: readonly Comment[];
  readonly actions: IssueActions;
}

export function IssueCard({ issue, comments, actions }: IssueCardProps) {
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
