import { IconDots, IconPencil, IconTrash } from '@tabler/icons-react';
import { useState, type SyntheticEvent } from 'react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Comment } from '../../../preload/contract/schema/review.ts';
import { useText } from '../../i18n/index.ts';
import { formatDate, formatWhen } from '../format-text.ts';
import { userName } from '../people/people.tsx';
import { ActionIcon, Button, Group, Menu, Textarea } from '../../ui/kit.ts';
import classes from './issues.module.css';
import { call } from '../../api/client.ts';
import { ask } from '../../ui/confirm.tsx';
import { notify } from '../../ui/notify.ts';

interface CommentViewProps {
  readonly comment: Comment;
  readonly onEdit: (message: string) => Promise<boolean>;
  /** Undefined for the issue's first comment, which is deleted with the issue. */
  readonly onRemove: (() => void) | undefined;
}

export function CommentView({ comment, onEdit, onRemove }: CommentViewProps) {
  const t = useText();
  const [draft, setDraft] = useState<string | null>(null);
  const { owner, created_date: created, updated_date: updated } = comment;
  const submit = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault();
    const message = draft?.trim() ?? '';
    if (message === '' || message === comment.message || (await onEdit(message))) setDraft(null);
  };
  return (
    <div className={classes.comment}>
      <div className={classes.commentHead}>
        <span className={classes.author}>{owner === null ? t('issues.somebody') : userName(owner)}</span>
        <span className={classes.when} title={formatDate(created)}>
          {formatWhen(created)}
          {updated > created && ` · ${t('issues.edited')}`}
        </span>
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon
              variant="subtle"
              color="gray"
              size="sm"
              ml="auto"
              aria-label={t('issues.commentMenu')}
              className={classes.commentMenu ?? ''}
            >
              <IconDots size={16} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item leftSection={<IconPencil size={16} />} onClick={() => setDraft(comment.message)}>
              {t('issues.editComment')}
            </Menu.Item>
            {onRemove !== undefined && (
              <Menu.Item color="var(--limner-failure)" leftSection={<IconTrash size={16} />} onClick={onRemove}>
                {t('issues.deleteComment')}
              </Menu.Item>
            )}
          </Menu.Dropdown>
        </Menu>
      </div>
      {draft === null ? (
        <div className={classes.message}>{comment.message}</div>
      ) : (
        <form onSubmit={(event) => void submit(event)}>
          <Textarea
            autosize
            autoFocus
            aria-label={t('issues.editComment')}
            value={draft}
            onChange={setDraft}
            onKeyDown={(event) => {
              if (event.key === 'Escape') setDraft(null);
              if (event.key === 'Enter' && !event.shiftKey) void submit(event);
            }}
          />
          <Group gap={8} mt={8}>
            <Button type="submit" size="compact-sm">
              {t('common.save')}
            </Button>
            <Button size="compact-sm" variant="default" onClick={() => setDraft(null)}>
              {t('common.cancel')}
            </Button>
          </Group>
        </form>
      )}
    </div>
  );
}

interface ReplyFormProps {
  /** Label of the field; by default that of a reply. */
  readonly label?: string;
  readonly placeholder?: string;
  /** An earlier text that could not be sent. */
  readonly start?: string;
  readonly onReply: (message: string) => Promise<boolean>;
}

/** Enter sends, Shift+Enter starts a line. An unsent text remains. */
export function ReplyForm({ label, placeholder, start = '', onReply }: ReplyFormProps) {
  const t = useText();
  const [text, setText] = useState(start);
  const [sending, setSending] = useState(false);
  const submit = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault();
    if (text.trim() === '' || sending) return;
    setSending(true);
    if (await onReply(text.trim())) setText('');
    setSending(false);
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Group gap={8} align="flex-end" wrap="nowrap">
        <Textarea
          style={{ flex: 1 }}
          size="xs"
          autosize
          minRows={1}
          maxRows={8}
          aria-label={label ?? t('issues.reply')}
          placeholder={placeholder ?? t('issues.replyPlaceholder')}
          value={text}
          onChange={setText}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && !event.shiftKey) void submit(event);
          }}
        />
        {text.trim() !== '' && (
          <Button type="submit" size="xs" loading={sending}>
            {t('issues.send')}
          </Button>
        )}
      </Group>
    </form>
  );
}

/** Actions on issues and comments. Each returns success and reports failures. */
export function useIssueActions() {
  const t = useText();
  const client = useQueryClient();
  const run = useMutation({
    mutationFn: (work: () => Promise<unknown>) => work(),
    onSettled: () => {
      void client.invalidateQueries({ queryKey: ['jobs'] });
      return client.invalidateQueries({ queryKey: ['issues'] });
    },
  });
  const act = async (work: () => Promise<unknown>): Promise<boolean> => {
    try {
      await run.mutateAsync(work);
      return true;
    } catch (error) {
      notify.failure(t('issues.failed'), error);
      return false;
    }
  };
  const confirm = t('common.delete');
  return {
    isBusy: run.isPending,
    resolve: (id: number, resolved: boolean) => act(() => call('updateIssue', { params: { id }, body: { resolved } })),
    reply: (issue: number, message: string) => act(() => call('createComment', { body: { issue, message } })),
    edit: (id: number, message: string) => act(() => call('updateComment', { params: { id }, body: { message } })),
    async remove(id: number): Promise<boolean> {
      if (!(await ask({ title: t('issues.deleteTitle'), text: t('issues.deleteText'), confirm }))) return false;
      return act(() => call('deleteIssue', { params: { id } }));
    },
    async removeComment(id: number): Promise<boolean> {
      const question = { title: t('issues.deleteCommentTitle'), text: t('issues.deleteCommentText') };
      if (!(await ask({ ...question, confirm }))) return false;
      return act(() => call('deleteComment', { params: { id } }));
    },
  };
}
export type IssueActions = ReturnType<typeof useIssueActions>;
