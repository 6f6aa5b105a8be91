import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { QualityChoices } from '../../../preload/contract/schema/quality.ts';
import { call } from '../../api/client.ts';
import { qualityQueries, type QualityPlace } from '../../api/quality-queries.ts';
import { useText } from '../../i18n/index.ts';
import { FormDialog } from '../../ui/form.tsx';
import { Checkbox, Dimmed, Group, Modal, NumberInput, Select, SimpleGrid } from '../../ui/kit.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { notify } from '../../ui/notify.ts';

interface SettingsProps {
  readonly place: QualityPlace & { readonly isInProject?: boolean };
  readonly onClose: () => void;
}

const metrics = ['accuracy', 'precision', 'recall'] as const;
const shares = [
  ['iou_threshold', 'overlap'],
  ['low_overlap_threshold', 'lowOverlap'],
  ['oks_sigma', 'sigma'],
  ['line_thickness', 'lineThickness'],
] as const;
const switches = [
  ['compare_attributes', 'compareAttributes'],
  ['compare_groups', 'compareGroups'],
  ['compare_line_orientation', 'compareDirection'],
  ['check_covered_annotations', 'checkCovered'],
  ['panoptic_comparison', 'panoptic'],
  ['empty_is_annotated', 'emptyCounts'],
] as const;

/** What reports of a task or a project go by. */
export function QualitySettings({ place, onClose }: SettingsProps) {
  const t = useText();
  const settings = useQuery({ ...qualityQueries.settings(place), refetchOnMount: 'always' });
  const own = settings.data;
  if (own !== undefined)
    return own && <Form id={own.id} stored={own} mayInherit={place.isInProject === true} onClose={onClose} />;
  return (
    <Modal opened title={t('quality.settingsTitle')} onClose={onClose}>
      <Loaded query={settings}>{() => null}</Loaded>
    </Modal>
  );
}

interface FormProps {
  readonly id: number;
  readonly stored: QualityChoices & { readonly inherit: boolean };
  /** The task is in a project, by whose settings it may go. */
  readonly mayInherit: boolean;
  readonly onClose: () => void;
}

function Form({ id, stored, mayInherit, onClose }: FormProps) {
  const t = useText();
  const client = useQueryClient();
  const [changed, setChanged] = useState<Partial<QualityChoices>>({});
  const [inherits, setInherits] = useState(mayInherit && stored.inherit);
  const now = { ...stored, ...changed };
  const isSwitched = inherits !== stored.inherit;
  const change = (next: Partial<QualityChoices>): void => setChanged((before) => ({ ...before, ...next }));
  const save = useMutation({
    mutationFn: () =>
      call('updateQualitySettings', {
        params: { id },
        body: inherits ? { inherit: true } : { ...changed, ...(isSwitched ? { inherit: false } : {}) },
      }),
    async onSuccess() {
      await client.invalidateQueries({ queryKey: ['quality', 'settings'] });
      notify.success(t('quality.saved'));
      onClose();
    },
  });
  const asShare = (value: number | string): number => Math.min(1, Math.max(0, Number(value)));
  return (
    <FormDialog
      title={t('quality.settingsTitle')}
      submit={t('quality.save')}
      onSubmit={() => save.mutate()}
      onClose={onClose}
      isBusy={save.isPending}
      isReady={isSwitched || Object.keys(changed).length > 0}
      error={save.error?.message}
    >
      <Dimmed>{t('quality.settingsText')}</Dimmed>
      {mayInherit && (
        <Checkbox
          label={t('quality.inherit')}
          checked={inherits}
          onChange={(event) => {
            setInherits(event.currentTarget.checked);
            setChanged({});
          }}
        />
      )}
      <Group gap="sm" grow>
        <Select
          disabled={inherits}
          label={t('quality.targetMetric')}
          data={metrics.map((value) => ({ value, label: t(`quality.${value}`) }))}
          value={now.target_metric}
          allowDeselect={false}
          onChange={(next) => change({ target_metric: metrics.find((one) => one === next) ?? 'accuracy' })}
        />
        <NumberInput
          disabled={inherits}
          label={t('quality.threshold')}
          min={0}
          max={1}
          step={0.05}
          value={now.target_metric_threshold}
          onChange={(value) => change({ target_metric_threshold: asShare(value) })}
        />
      </Group>
      <SimpleGrid cols={2} spacing="sm" verticalSpacing="md" style={{ alignItems: 'end' }}>
        {shares.map(([name, words]) => (
          <NumberInput
            key={name}
            disabled={inherits}
            label={t(`quality.${words}`)}
            min={0}
            max={1}
            step={0.05}
            value={now[name]}
            onChange={(value) => change({ [name]: asShare(value) })}
          />
        ))}
      </SimpleGrid>
      {switches.map(([name, words]) => (
        <Checkbox
          key={name}
          disabled={inherits}
          label={t(`quality.${words}`)}
          checked={now[name]}
          onChange={(event) => change({ [name]: event.currentTarget.checked })}
        />
      ))}
    </FormDialog>
  );
}
