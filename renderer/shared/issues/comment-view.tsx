import { IconDots, IconPencil, IconTrash } from '@tabler/icons-react';
import { useState, type SyntheticEvent } from 'react';
import type { Comment } from '../../../preload/contract/schema/review.ts';
import { useText } from '../../i18n/index.ts';
import { formatDate, formatWhen } from '../format-text.ts';
import { userName } from '../people/user-name.ts';
import { ActionIcon, Button, Group, Menu, Textarea } from '../../ui/kit.ts';
import classes from './issues.module.css';

interface CommentViewProps {
  readonly comment: Comment;
  readonly onEdit: (message: string) => Promise<boolean>;
  /** Undefined for the first comment, which is deleted with the issue. */
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
