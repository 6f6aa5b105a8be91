import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { copyOfLabel, pairLabel } from '../../../../preload/contract/label-pairs.ts';
import type { Task } from '../../../../preload/contract/schema/resources.ts';
import { call } from '../../../api/client.ts';
import { queries } from '../../../api/queries.ts';
import { useChange } from '../../../shared/use-change.ts';
import { useText, type TextFunction } from '../../../i18n/index.ts';
import { formatNumber } from '../../../i18n/language.ts';
import { ResourceSelect } from '../../../shared/lists/resource-select.tsx';
import { FormDialog } from '../../../ui/form.tsx';
import { Checkbox, Radio, ScrollArea, Stack, Table, Text } from '../../../ui/kit.ts';
import { notify } from '../../../ui/notify.ts';
import type { Label } from '../../../../preload/contract/schema/labels.ts';
import type { Statistics } from '../../../../preload/contract/schema/statistics.ts';

const fateText = (t: TextFunction, { becomes, label, attribute }: LabelOutcome): string => {
  if (becomes === 'same') return t('moving.same', { name: label.name });
  if (becomes === 'gone') return t('moving.gone');
  return attribute === undefined ? t('moving.lacking') : t('moving.differs', { what: attribute });
};

function FateTable({ outcomes }: { readonly outcomes: readonly LabelOutcome[] }) {
  const t = useText();
  return (
    <ScrollArea.Autosize mah={260}>
      <Table fz="sm" verticalSpacing={4}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('moving.label')}</Table.Th>
            <Table.Th ta="right">{t('moving.objects')}</Table.Th>
            <Table.Th>{t('moving.there')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {outcomes.map((fate) => (
            <Table.Tr key={fate.label.id}>
              <Table.Td>{fate.label.name}</Table.Td>
              <Table.Td ta="right">{formatNumber(fate.count)}</Table.Td>
              <Table.Td c={fate.becomes === 'lacking' ? 'red' : 'inherit'}>{fateText(t, fate)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollArea.Autosize>
  );
}

/** Moves a task into or out of a project; shows the effect on labels first. */
export function MoveTaskDialog({ task, onClose }: { readonly task: Task; readonly onClose: () => void }) {
  const t = useText();
  const [isLeaving, setLeaving] = useState(false);
  const [projectId, setProjectId] = useState<number | null>(null);
  const [isAdding, setAdding] = useState(true);
  const into = isLeaving ? null : projectId;
  const own = useQuery(queries.labels({ task_id: task.id }));
  const there = useQuery({ ...queries.labels({ project_id: into ?? 0 }), enabled: into !== null });
  const counted = useQuery({ ...queries.statistics('task', task.id), refetchOnMount: 'always' });
  const isKnown = own.data !== undefined && there.data !== undefined && counted.data !== undefined;
  const outcomes = into !== null && isKnown ? outcomesOf(own.data, there.data, counted.data) : [];
  const lacking = outcomes.filter(({ becomes }) => becomes === 'lacking');
  const isBlocked = lacking.some(({ attribute }) => attribute !== undefined) || (lacking.length > 0 && !isAdding);
  const move = useChange(
    async () => {
      if (into !== null && lacking.length > 0) {
        const labels = lacking.map(({ label }) => copyOfLabel(label));
        await call('updateProject', { params: { id: into }, body: { labels } });
      }
      return call('updateTask', { params: { id: task.id }, body: { project_id: into } });
    },
    {
      reloads: ['tasks', 'projects', 'jobs', 'labels'],
      done: (moved) => {
        const name = moved.project_name;
        notify.success(
          name === null ? t('moving.left', { task: task.name }) : t('moving.done', { task: task.name, name }),
        );
        onClose();
      },
    },
  );
  return (
    <FormDialog
      title={t('moving.title', { name: task.name })}
      size="lg"
      submit={t(isLeaving ? 'moving.leave' : 'moving.move')}
      change={move}
      onClose={onClose}
      isReady={isLeaving || (into !== null && into !== task.project_id && isKnown && !isBlocked)}
      error={move.error?.message ?? own.error?.message ?? there.error?.message ?? counted.error?.message}
    >
      {task.project_id !== null && (
        <Radio.Group
          aria-label={t('moving.where')}
          value={isLeaving ? 'out' : 'into'}
          onChange={(value) => setLeaving(value === 'out')}
        >
          <Stack gap={6}>
            <Radio value="into" label={t('moving.into')} />
            <Radio value="out" label={t('moving.out', { name: task.project_name ?? '' })} />
          </Stack>
        </Radio.Group>
      )}
      {isLeaving ? (
        <Text fz="sm">{t('moving.outText')}</Text>
      ) : (
        <ResourceSelect
          kind="project"
          label={t('tasks.project')}
          labelled
          placeholder={t('moving.choose')}
          value={projectId}
          onChange={setProjectId}
          error={projectId !== null && projectId === task.project_id ? t('moving.isThere') : undefined}
        />
      )}
      {outcomes.length > 0 && <FateTable outcomes={outcomes} />}
      {lacking.length > 0 && (
        <Checkbox
          label={t('moving.add', { count: lacking.filter(({ attribute }) => attribute === undefined).length })}
          checked={isAdding}
          onChange={setAdding}
        />
      )}
      {isBlocked && (
        <Text fz="sm" role="status">
          {t('moving.blocked')}
        </Text>
      )}
    </FormDialog>
  );
}

export interface LabelOutcome {
  readonly label: Label;
  readonly count: number;
  readonly becomes: 'same' | 'gone' | 'lacking';
  /** Attribute that the project's label of the same name lacks, which prevents adding it automatically. */
  readonly attribute?: string;
}

export function outcomesOf(
  own: readonly Label[],
  there: readonly Label[],
  counted: Statistics,
): readonly LabelOutcome[] {
  return own.map((label) => {
    const kinds = counted.labels.find(({ id }) => id === label.id)?.kinds ?? [];
    const count = kinds.reduce((sum, { objects, tracks }) => sum + objects + tracks, 0);
    const lacking = pairLabel(label, there, { labels: new Map(), attributes: new Map() });
    if (lacking === null) return { label, count, becomes: 'same' };
    if (count === 0) return { label, count, becomes: 'gone' };
    const isNamed = there.some(({ name }) => name === label.name);
    const attribute = lacking.kind === 'attribute' ? lacking.attribute : lacking.type;
    return { label, count, becomes: 'lacking', ...(isNamed ? { attribute } : {}) };
  });
}
