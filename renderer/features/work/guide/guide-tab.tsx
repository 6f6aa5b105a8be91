import { IconBook2, IconPencil } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { reviewQueries } from '../../../api/review-queries.ts';
import { useText } from '../../../i18n/index.ts';
import { Button, SmallButton } from '../../../ui/kit.ts';
import { Loaded } from '../../../ui/loaded.tsx';
import { Empty } from '../../../ui/page.tsx';
import { MarkdownView } from '../../../shared/markdown-view.tsx';
import { GuideEditor, type GuideOwner } from './guide-editor.tsx';
import classes from './guide.module.css';

export function GuideText({ id }: { readonly id: number }) {
  const guide = useQuery({ ...reviewQueries.guide(id), refetchOnMount: 'always' });
  return (
    <Loaded query={guide}>
      {({ markdown }) => (
        <div className={classes.read}>
          <MarkdownView markdown={markdown} />
        </div>
      )}
    </Loaded>
  );
}

export function GuideTab({ owner }: { readonly owner: GuideOwner }) {
  const t = useText();
  const [isOpen, setOpen] = useState(false);
  const { guideId } = owner;
  const guide = useQuery({ ...reviewQueries.guide(guideId ?? 0), enabled: guideId !== null, refetchOnMount: 'always' });
  const found = guideId === null ? null : (guide.data ?? null);
  if (isOpen) return <GuideEditor owner={owner} guide={found} onDone={() => setOpen(false)} />;
  if (guideId !== null && guide.data === undefined) return <Loaded query={guide}>{() => null}</Loaded>;
  if (found === null || found.markdown.trim() === '') {
    return (
      <Empty
        icon={<IconBook2 size={40} stroke={1.25} />}
        title={t('guide.emptyTitle')}
        text={t('guide.emptyText')}
        action={<Button onClick={() => setOpen(true)}>{t('guide.write')}</Button>}
      />
    );
  }
  return (
    <div className={classes.read}>
      <SmallButton mb={12} leftSection={<IconPencil size={14} />} onClick={() => setOpen(true)}>
        {t('guide.edit')}
      </SmallButton>
      <MarkdownView markdown={found.markdown} />
    </div>
  );
}
