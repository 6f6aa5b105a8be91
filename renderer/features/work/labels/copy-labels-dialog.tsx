import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { copyOfLabel } from '../../../../preload/contract/label-pairs.ts';
import { labelWriteSchema, type LabelWrite } from '../../../../preload/contract/schema/labels.ts';
import { queries } from '../../../api/queries.ts';
import { useText } from '../../../i18n/index.ts';
import { FormDialog } from '../../../ui/form.tsx';
import { Checkbox, Dimmed, ScrollArea, SegmentedControl, Select, Stack } from '../../../ui/kit.ts';
import { ResourceSelect } from '../../../shared/lists/resource-select.tsx';
import { labelDraft, type LabelDraft } from './label-draft.ts';

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

export function CopyLabelsDialog({ drafts, onCopy, onClose }: CopyLabelsDialogProps) {
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
      isBusy={false}
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
