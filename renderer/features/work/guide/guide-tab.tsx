import { IconBook2, IconPencil, IconPhoto } from '@tabler/icons-react';
import { useQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ClipboardEvent, type DragEvent, useRef } from 'react';
import { reviewQueries } from '../../../api/review-queries.ts';
import { useText, text } from '../../../i18n/index.ts';
import { Button, SmallButton, Alert, Dimmed, FileButton, Group, Text, Textarea } from '../../../ui/kit.ts';
import { Loaded } from '../../../ui/loaded.tsx';
import { Empty } from '../../../ui/page.tsx';
import { MarkdownView } from '../../../shared/markdown-view.tsx';
import classes from './guide.module.css';
import type { Guide } from '../../../../preload/contract/schema/review.ts';
import { ApiError, messageOf } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import { uploadGuidePicture } from '../../../api/uploads.ts';
import { notify } from '../../../ui/notify.ts';
import { useUnsaved } from '../../../shared/use-form.ts';

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

export interface GuideOwner {
  readonly kind: 'project' | 'task';
  readonly id: number;
  readonly guideId: number | null;
}

/** Result of saving: success, or another user's text, which is not overwritten. */
type Saved = { readonly guide: Guide } | { readonly theirs: Guide };

const ownerOf = ({ kind, id }: GuideOwner) => (kind === 'project' ? { project_id: id } : { task_id: id });

async function guideOf({ kind, id }: GuideOwner): Promise<Guide | null> {
  const owner = await call(kind === 'project' ? 'getProject' : 'getTask', { params: { id } });
  return owner.guide_id === null ? null : call('getGuide', { params: { id: owner.guide_id } });
}

/** Saves based on the version that was read; returns the other text if another user saved one since. */
async function save(owner: GuideOwner, base: Guide | null, markdown: string): Promise<Saved> {
  if (base === null) {
    const there = await guideOf(owner);
    if (there !== null) return there.markdown === '' ? save(owner, there, markdown) : { theirs: there };
    return { guide: await call('createGuide', { body: { ...ownerOf(owner), markdown } }) };
  }
  try {
    const body = { markdown, limner_based_on: base.updated_date };
    return { guide: await call('updateGuide', { params: { id: base.id }, body }) };
  } catch (error) {
    if (!(error instanceof ApiError) || error.kind !== 'conflict') throw error;
    return { theirs: await call('getGuide', { params: { id: base.id } }) };
  }
}

function useGuideSaving(owner: GuideOwner) {
  const client = useQueryClient();
  const keep = (guide: Guide): void => {
    client.setQueryData(reviewQueries.guide(guide.id).queryKey, guide);
    if (owner.guideId === null)
      for (const key of ['projects', 'tasks', 'jobs']) void client.invalidateQueries({ queryKey: [key] });
  };
  const saving = useMutation({
    mutationFn: ({ base, markdown }: { readonly base: Guide | null; readonly markdown: string }) =>
      save(owner, base, markdown),
    onSuccess: (saved) => 'guide' in saved && keep(saved.guide),
    onError: (error) => notify.failure(text('guide.notSaved'), `${messageOf(error)} ${text('guide.kept')}`),
  });
  return {
    isBusy: saving.isPending,
    save: (base: Guide | null, markdown: string) => saving.mutateAsync({ base, markdown }),
    /** Images belong to a guide, so a missing guide is created empty. */
    async begin(base: Guide | null): Promise<Guide> {
      if (base !== null) return base;
      const there = await guideOf(owner);
      if (there !== null) return there;
      const begun = await call('createGuide', { body: { ...ownerOf(owner), markdown: '' } });
      keep(begun);
      return begun;
    },
    addPicture: uploadGuidePicture,
    /** Deletes images of this edit that the text does not use. */
    async dropPictures(addresses: readonly string[], markdown: string): Promise<void> {
      const gone = addresses.filter((address) => !markdown.includes(address));
      const uuids = gone.map((address) => address.slice(address.lastIndexOf('/') + 1));
      await Promise.allSettled(uuids.map((uuid) => call('deleteAsset', { params: { uuid } })));
    },
  };
}

const pictureTypes = 'image/png,image/jpeg,image/webp,image/gif';
const picturesOf = (transfer: DataTransfer): readonly File[] =>
  [...transfer.files].filter((file) => pictureTypes.split(',').includes(file.type));

interface GuideEditorProps {
  readonly owner: GuideOwner;
  /** Null if there is none. */
  readonly guide: Guide | null;
  readonly onDone: () => void;
}

function GuideEditor({ owner, guide, onDone }: GuideEditorProps) {
  const t = useText();
  const saving = useGuideSaving(owner);
  const [base, setBase] = useState(guide);
  const [markdown, setMarkdown] = useState(guide?.markdown ?? '');
  const [theirs, setTheirs] = useState<Guide | null>(null);
  const [sending, setSending] = useState(0);
  const pictures = useRef<string[]>([]);
  const area = useRef<HTMLTextAreaElement>(null);
  const isChanged = markdown !== (base?.markdown ?? '');
  useUnsaved(isChanged && !saving.isBusy, t('guide.yourText'));

  const submit = async (on: Guide | null, text: string): Promise<void> => {
    const saved = await saving.save(on, text).catch(() => null);
    if (saved === null) return;
    if ('theirs' in saved) return setTheirs(saved.theirs);
    await saving.dropPictures(pictures.current, text);
    setBase(saved.guide);
    notify.success(t('guide.saved'));
    onDone();
  };
  const discard = async (): Promise<void> => {
    await saving.dropPictures(pictures.current, base?.markdown ?? '');
    onDone();
  };
  const insert = (text: string): void => {
    const at = area.current?.selectionStart ?? markdown.length;
    const end = area.current?.selectionEnd ?? at;
    setMarkdown((now) => `${now.slice(0, at)}${text}${now.slice(end)}`);
  };
  const addPictures = async (files: readonly File[]): Promise<void> => {
    setSending((count) => count + 1);
    try {
      const into = await saving.begin(base);
      if (base === null && into.markdown === '') setBase(into);
      for (const file of files) {
        const address = await saving.addPicture(into.id, file);
        pictures.current.push(address);
        insert(`![${file.name.replaceAll(/[[\]]/g, '')}](${address})\n`);
      }
    } catch (error) {
      notify.failure(t('guide.pictureFailed'), error);
    } finally {
      setSending((count) => count - 1);
    }
  };
  const take = (event: ClipboardEvent | DragEvent, transfer: DataTransfer): void => {
    const files = picturesOf(transfer);
    if (files.length === 0) return;
    event.preventDefault();
    void addPictures(files);
  };

  return (
    <section aria-label={t('guide.edit')}>
      <Group gap={8} mb={12}>
        <Button size="xs" loading={saving.isBusy} disabled={!isChanged} onClick={() => void submit(base, markdown)}>
          {t('guide.save')}
        </Button>
        <SmallButton onClick={() => void discard()}>{t(isChanged ? 'labels.discard' : 'common.close')}</SmallButton>
        <FileButton multiple accept={pictureTypes} onChange={(files) => void addPictures(files)}>
          {(props) => (
            <Button
              {...props}
              size="xs"
              variant="subtle"
              leftSection={<IconPhoto size={14} />}
              loading={sending > 0}
              ml="auto"
            >
              {t('guide.addPicture')}
            </Button>
          )}
        </FileButton>
      </Group>
      {theirs !== null && (
        <Conflict
          theirs={theirs}
          onChoose={(text) => {
            setBase(theirs);
            setMarkdown(text);
            setTheirs(null);
          }}
          mine={markdown}
        />
      )}
      <div className={classes.panes}>
        <Textarea
          ref={area}
          classNames={{ input: classes.input ?? '' }}
          aria-label={t('guide.text')}
          description={t('guide.textHint')}
          inputWrapperOrder={['input', 'description']}
          autosize
          minRows={16}
          maxRows={32}
          data-own-drop
          value={markdown}
          onChange={setMarkdown}
          onPaste={(event) => take(event, event.clipboardData)}
          onDrop={(event) => take(event, event.dataTransfer)}
        />
        <div className={classes.preview} role="region" aria-label={t('guide.preview')}>
          {markdown.trim() === '' ? <Dimmed>{t('guide.previewEmpty')}</Dimmed> : <MarkdownView markdown={markdown} />}
        </div>
      </div>
    </section>
  );
}

interface ConflictProps {
  readonly mine: string;
  readonly theirs: Guide;
  readonly onChoose: (text: string) => void;
}

/** Conflict with another user's text: choose the text to continue with. The choice saves nothing. */
function Conflict({ mine, theirs, onChoose }: ConflictProps) {
  const t = useText();
  return (
    <Alert variant="default" role="alert" mb={12} title={t('guide.conflict')}>
      <Text fz="sm">{t('guide.conflictText')}</Text>
      <div className={classes.theirs}>
        <MarkdownView markdown={theirs.markdown} />
      </div>
      <Group gap={8} mt={8}>
        <Button size="xs" onClick={() => onChoose(mine)}>
          {t('guide.keepMine')}
        </Button>
        <SmallButton onClick={() => onChoose(`${theirs.markdown}\n\n${mine}`)}>{t('guide.keepBoth')}</SmallButton>
        <SmallButton onClick={() => onChoose(theirs.markdown)}>{t('guide.takeTheirs')}</SmallButton>
      </Group>
    </Alert>
  );
}
