import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Label } from '../../../../preload/contract/schema/labels.ts';
import { call } from '../../../api/client.ts';
import { useText } from '../../../i18n/index.ts';
import { ask } from '../../../ui/confirm.tsx';
import { Alert, Button, ColorSwatch, Group, Hint, SmallButton, Stack, Text } from '../../../ui/kit.ts';
import { notify } from '../../../ui/notify.ts';
import { useUndoChange } from '../../../shared/undo-change.ts';
import { useUnsaved } from '../../../shared/use-form.ts';
import { draftOfLabel, labelChanges, type LabelDraft, writeOfLabel } from './label-draft.ts';
import { labelProblems } from './label-problems.ts';
import { LabelTabs } from './label-tabs.tsx';

export const LabelChips = ({ labels }: { readonly labels: readonly Label[] }) => (
  <Group gap={16} role="list">
    {labels.map((label) => (
      <Group key={label.id} gap={6} role="listitem" wrap="nowrap" maw="100%">
        <ColorSwatch size={12} color={label.color} flex="none" />
        <Text fz="sm" truncate title={label.name}>
          {label.name}
        </Text>
      </Group>
    ))}
  </Group>
);

interface LabelEditorProps {
  readonly owner: { readonly kind: 'project' | 'task'; readonly id: number };
  readonly labels: readonly Label[];
}

export const LabelProblems = ({ problems }: { readonly problems: readonly string[] }) => {
  const t = useText();
  if (problems.length === 0) return null;
  return (
    <Alert color="yellow" variant="default" title={t('labels.invalid')} role="alert">
      {problems.slice(0, 8).map((problem) => (
        <Text key={problem} fz="sm">
          {problem}
        </Text>
      ))}
    </Alert>
  );
};

const written = (drafts: readonly LabelDraft[]): string => JSON.stringify(drafts.map(writeOfLabel));

export function LabelEditor({ owner, labels }: LabelEditorProps) {
  const t = useText();
  const client = useQueryClient();
  const [drafts, setDrafts] = useState<readonly LabelDraft[] | null>(null);
  const [rawProblems, setRawProblems] = useState<readonly string[]>([]);
  const [revision, setRevision] = useState(0);
  const shown = drafts ?? labels.map(draftOfLabel);
  // Leaving a field without another value is no change.
  const changed = rawProblems.length > 0 || (drafts !== null && written(drafts) !== written(labels.map(draftOfLabel)));
  const problems = changed ? [...rawProblems, ...labelProblems(shown, t)] : [];
  const discard = (): void => {
    setDrafts(null);
    setRawProblems([]);
    setRevision(revision + 1);
  };
  const { offerNewest } = useUndoChange();
  const gone = labels.filter((label) => !shown.some((draft) => draft.id === label.id));
  const save = useMutation({
    mutationFn: async () => {
      const body = { labels: labelChanges(labels, shown) };
      const params = { id: owner.id };
      if (owner.kind === 'project') await call('updateProject', { params, body });
      else await call('updateTask', { params, body });
    },
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['labels'] });
      discard();
      notify.success(t('labels.done'));
      if (gone.length > 0) await offerNewest(owner);
    },
    onError: (error) => notify.failure(t('labels.invalid'), error.message),
  });
  const submit = async (): Promise<void> => {
    const names = gone.map((label) => label.name);
    const confirm = t('labels.save');
    const text = t('labels.deleteText', { names: names.join(', ') });
    if (names.length === 0 || (await ask({ title: t('labels.deleteTitle'), text, confirm }))) save.mutate();
  };
  useUnsaved(changed, t('pages.unsavedLabels'));
  return (
    <Stack gap="sm">
      <LabelTabs key={revision} drafts={shown} onChange={setDrafts} onRawProblems={setRawProblems} />
      <LabelProblems problems={problems} />
      {changed && (
        <Group gap="sm" justify="flex-end">
          <Hint>{t('labels.unsaved')}</Hint>
          <SmallButton onClick={discard}>{t('labels.discard')}</SmallButton>
          <Button size="xs" loading={save.isPending} disabled={problems.length > 0} onClick={() => void submit()}>
            {t('labels.save')}
          </Button>
        </Group>
      )}
    </Stack>
  );
}
