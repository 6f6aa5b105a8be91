import { useMutation, useQueryClient, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { IconCopy } from '@tabler/icons-react';
import { type Label, labelWriteSchema, type LabelWrite } from '../../../../preload/contract/schema/labels.ts';
import { call } from '../../../api/client.ts';
import { useText } from '../../../i18n/index.ts';
import { ask } from '../../../ui/confirm.tsx';
import {
  Alert,
  Button,
  ColorSwatch,
  Group,
  Hint,
  SmallButton,
  Stack,
  Text,
  Tabs,
  Textarea,
  Checkbox,
  Dimmed,
  ScrollArea,
  SegmentedControl,
  Select,
} from '../../../ui/kit.ts';
import { notify } from '../../../ui/notify.ts';
import { useUndoChange } from '../../../shared/undo-change.ts';
import { useUnsaved } from '../../../shared/use-form.ts';
import {
  draftOfLabel,
  labelChanges,
  type LabelDraft,
  writeOfLabel,
  labelProblems,
  draftsOfRaw,
  rawOfDrafts,
  labelDraft,
} from './label-draft.ts';
import classes from './label-editor.module.css';
import { LabelConstructor } from './label-row.tsx';
import { copyOfLabel } from '../../../../preload/contract/label-pairs.ts';
import { queries } from '../../../api/queries.ts';
import { FormDialog } from '../../../ui/form.tsx';
import { ResourceSelect } from '../../../shared/lists/resource-select.tsx';

const shownChips = 200;

export const LabelChips = ({ labels }: { readonly labels: readonly Label[] }) => {
  const t = useText();
  const further = labels.length - shownChips;
  return (
    <Group gap={16} role="list">
      {labels.slice(0, shownChips).map((label) => (
        <Group key={label.id} gap={6} role="listitem" wrap="nowrap" maw="100%">
          <ColorSwatch size={12} color={label.color} flex="none" />
          <Text fz="sm" truncate title={label.name}>
            {label.name}
          </Text>
        </Group>
      ))}
      {further > 0 && <Dimmed role="listitem">{t('labels.further', { count: further })}</Dimmed>}
    </Group>
  );
};

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

interface LabelTabsProps {
  readonly drafts: readonly LabelDraft[];
  readonly onChange: (drafts: readonly LabelDraft[]) => void;
  /** Receives the reasons why the raw text cannot be read; empty if it can. */
  readonly onRawProblems: (problems: readonly string[]) => void;
}

export function LabelTabs({ drafts, onChange, onRawProblems }: LabelTabsProps) {
  const t = useText();
  const [tab, setTab] = useState('constructor');
  const [raw, setRaw] = useState('');
  const [isCopying, setCopying] = useState(false);
  const [broken, setBroken] = useState(false);
  const edit = (text: string): void => {
    setRaw(text);
    const result = draftsOfRaw(text);
    setBroken(!result.ok);
    if (result.ok) {
      onRawProblems([]);
      onChange(result.drafts);
    } else {
      onRawProblems('syntax' in result ? [t('labels.problems.notJson', { reason: result.syntax })] : result.problems);
    }
  };
  const open = (next: string | null): void => {
    if (broken || next === null) return;
    if (next === 'raw') setRaw(rawOfDrafts(drafts));
    setTab(next);
  };
  return (
    <Tabs value={tab} onChange={open}>
      <Group justify="space-between" wrap="nowrap" mb={8}>
        <Tabs.List>
          <Tabs.Tab value="constructor" disabled={broken}>
            {t('labels.constructor')}
          </Tabs.Tab>
          <Tabs.Tab value="raw">{t('labels.raw')}</Tabs.Tab>
        </Tabs.List>
        <Button
          ml="auto"
          size="compact-sm"
          variant="subtle"
          leftSection={<IconCopy size={14} />}
          disabled={broken || tab === 'raw'}
          onClick={() => setCopying(true)}
        >
          {t('copyLabels.open')}
        </Button>
      </Group>
      {isCopying && (
        <CopyLabelsDialog
          drafts={drafts}
          onCopy={(added) => onChange([...drafts, ...added])}
          onClose={() => setCopying(false)}
        />
      )}
      <Tabs.Panel value="constructor">
        <LabelConstructor drafts={drafts} onChange={onChange} />
      </Tabs.Panel>
      <Tabs.Panel value="raw">
        <Stack gap={4}>
          <Textarea
            className={classes.raw ?? ''}
            aria-label={t('labels.raw')}
            autosize
            minRows={10}
            maxRows={24}
            spellCheck={false}
            value={raw}
            onChange={edit}
          />
          <Hint>{t('labels.rawHint')}</Hint>
        </Stack>
      </Tabs.Panel>
    </Tabs>
  );
}

const sources = ['project', 'task', 'model'] as const;
type Source = (typeof sources)[number];

function useLabelsOf(source: Source, id: number | null, model: string | null): readonly LabelWrite[] | undefined {
  const labels = useQuery({
    ...queries.labels(source === 'task' ? { task_id: id ?? 0 } : { project_id: id ?? 0 }),
    enabled: source !== 'model' && id !== null,
  });
  const models = useQuery({ ...queries.labelModels(), enabled: source === 'model' });
  if (source !== 'model') return id === null ? undefined : labels.data?.map(copyOfLabel);
  const chosen = models.data?.find((one) => one.id === model);
  // A model's labels may have any form beside their names.
  return chosen?.labels_v2.map((label) => labelWriteSchema.safeParse(label).data ?? { name: label.name });
}

interface CopyLabelsDialogProps {
  /** Existing labels, whose names are not added again. */
  readonly drafts: readonly LabelDraft[];
  readonly onCopy: (added: readonly LabelDraft[]) => void;
  readonly onClose: () => void;
}

function CopyLabelsDialog({ drafts, onCopy, onClose }: CopyLabelsDialogProps) {
  const t = useText();
  const [source, setSource] = useState<Source>('project');
  const [id, setId] = useState<number | null>(null);
  const [model, setModel] = useState<string | null>(null);
  const [left, setLeft] = useState<readonly string[]>([]);
  const models = useQuery({ ...queries.labelModels(), enabled: source === 'model' });
  const found = useLabelsOf(source, id, model);
  const known = new Set(drafts.map(({ name }) => name.trim()));
  const fresh = (found ?? []).filter(({ name = '' }) => !known.has(name));
  const wanted = fresh.filter(({ name = '' }) => !left.includes(name));
  const choose = (next: Partial<{ source: Source; id: number | null; model: string | null }>): void => {
    if (next.source !== undefined) setSource(next.source);
    setId(next.id ?? null);
    setModel(next.model ?? null);
    setLeft([]);
  };
  return (
    <FormDialog
      title={t('copyLabels.title')}
      submit={t('copyLabels.add', { count: wanted.length })}
      onSubmit={() => {
        onCopy(wanted.map(labelDraft));
        onClose();
      }}
      onClose={onClose}
      isReady={wanted.length > 0}
      error={models.error?.message}
    >
      <SegmentedControl
        aria-label={t('copyLabels.from')}
        data={sources.map((value) => ({ value, label: t(`copyLabels.sources.${value}`) }))}
        value={source}
        // The values come from the list above.
        onChange={(value) => choose({ source: value as Source })}
      />
      {source === 'model' ? (
        <Select
          aria-label={t('copyLabels.sources.model')}
          placeholder={t('copyLabels.choose')}
          searchable
          nothingFoundMessage={t('jobs.noMatch')}
          data={(models.data ?? []).map((one) => ({ value: one.id, label: one.name }))}
          value={model}
          onChange={(value) => choose({ model: value })}
        />
      ) : (
        <ResourceSelect
          key={source}
          kind={source}
          label={t(`copyLabels.sources.${source}`)}
          placeholder={t('copyLabels.choose')}
          value={id}
          onChange={(value) => choose({ id: value })}
        />
      )}
      {found !== undefined && (
        <ScrollArea.Autosize mah={260}>
          <Stack gap={6}>
            {fresh.map(({ name = '' }) => (
              <Checkbox
                key={name}
                label={name}
                checked={!left.includes(name)}
                onChange={() => setLeft(left.includes(name) ? left.filter((one) => one !== name) : [...left, name])}
              />
            ))}
          </Stack>
        </ScrollArea.Autosize>
      )}
      {found !== undefined && fresh.length < found.length && (
        <Dimmed>{t('copyLabels.there', { count: found.length - fresh.length })}</Dimmed>
      )}
      {found?.length === 0 && <Dimmed>{t('copyLabels.none')}</Dimmed>}
    </FormDialog>
  );
}
