import { useState, type SyntheticEvent } from 'react';
import { useText } from '../../i18n/index.ts';
import { Button, Group, Textarea } from '../../ui/kit.ts';

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
