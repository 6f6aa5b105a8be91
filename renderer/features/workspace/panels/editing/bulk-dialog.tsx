import { useEffect, useRef, useState } from 'react';
import { messageOf } from '../../../../api/api-error.ts';
import { areaTypes, type AreaType } from '../../../../canvas/shapes/shape-rings.ts';
import { useText } from '../../../../i18n/index.ts';
import { FormDialog } from '../../../../ui/form.tsx';
import { Group, NumberInput, Progress, Select, Text } from '../../../../ui/kit.ts';
import { notify } from '../../../../ui/notify.ts';
import { useAnnotate, useSession } from '../session-context.ts';
import { FrameNumber } from '../tracks/frames-dialogs.tsx';
import { bulkKinds, type BulkAction, type BulkKind } from '../../model/editing/bulk-changes.ts';
import { useFilter } from '../find/use-filter.ts';

function useFrameCount(from: number, to: number): number | null {
  const { bulk } = useSession();
  const [count, setCount] = useState<number | null>(null);
  useEffect(() => {
    let isOld = false;
    bulk.framesOf(from, to).then(
      (frames) => !isOld && setCount(frames.length),
      () => !isOld && setCount(null),
    );
    return () => {
      isOld = true;
    };
  }, [bulk, from, to]);
  return count;
}

function useObjectCount(action: BulkAction | null, from: number, to: number): number | null {
  const { bulk } = useSession();
  const [counted, setCounted] = useState<{ readonly of: string; readonly count: number } | null>(null);
  const key = JSON.stringify([action, from, to]);
  useEffect(() => {
    if (action === null) return undefined;
    const counting = new AbortController();
    bulk.count({ action, from, to, onProgress: () => undefined, signal: counting.signal }).then(
      (count) => count !== null && setCounted({ of: key, count }),
      // The run reports unreadable frames.
      () => undefined,
    );
    return () => counting.abort();
    // oxlint-disable-next-line react/exhaustive-deps -- the key stands for the action and its frames
  }, [bulk, key]);
  return counted?.of === key ? counted.count : null;
}

interface Choice {
  readonly kind: BulkKind;
  readonly labelId: number | null;
  readonly on: boolean;
  readonly tolerance: number;
  readonly type: AreaType;
}

/** Null while the choice is incomplete. */
function actionOf({ kind, labelId, on, tolerance, type }: Choice): BulkAction | null {
  if (kind === 'label') return labelId === null ? null : { kind, labelId };
  if (kind === 'occluded') return { kind, on };
  if (kind === 'simplify') return { kind, tolerance };
  return kind === 'convert' ? { kind, type } : { kind };
}

interface PartProps {
  readonly choice: Choice;
  readonly onChange: (part: Partial<Choice>) => void;
}

const Details = ({ choice, onChange }: PartProps) => {
  const t = useText();
  const labels = useAnnotate((state) => state.labels);
  if (choice.kind === 'label') {
    return (
      <Select
        label={t('editing.bulk.newLabel')}
        searchable
        data={labels.map(({ id, name }) => ({ value: String(id), label: name }))}
        value={choice.labelId === null ? null : String(choice.labelId)}
        onChange={(value) => onChange({ labelId: value === null ? null : Number(value) })}
      />
    );
  }
  if (choice.kind === 'occluded') {
    return (
      <Select
        label={t('editing.bulk.occluded')}
        allowDeselect={false}
        data={[
          { value: 'true', label: t('find.filter.yes') },
          { value: 'false', label: t('find.filter.no') },
        ]}
        value={String(choice.on)}
        onChange={(value) => onChange({ on: value === 'true' })}
      />
    );
  }
  if (choice.kind === 'simplify') {
    return (
      <NumberInput
        label={t('editing.tolerance')}
        min={0.1}
        max={100}
        step={0.5}
        value={choice.tolerance}
        onChange={(value) => typeof value === 'number' && onChange({ tolerance: value })}
      />
    );
  }
  if (choice.kind !== 'convert') return null;
  return (
    <Select
      label={t('editing.bulk.type')}
      allowDeselect={false}
      data={areaTypes.map((type) => ({ value: type, label: t(`annotate.shape.${type}`) }))}
      value={choice.type}
      onChange={(value) => value !== null && onChange({ type: value as AreaType })}
    />
  );
};

/** Applies one action to the objects of many frames: all, or those that pass the filter. */
export function BulkDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useText();
  const { bulk, job } = useSession();
  const filter = useFilter((state) => (state.logic === null ? null : (state.name ?? t('find.filter.theFilter'))));
  const [from, setFrom] = useState(job.start_frame);
  const [to, setTo] = useState(job.stop_frame);
  const [choice, setChoice] = useState<Choice>({
    kind: 'label',
    labelId: null,
    on: true,
    tolerance: 2,
    type: 'polygon',
  });
  const [share, setShare] = useState<number | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const running = useRef<AbortController | null>(null);
  const frames = useFrameCount(from, to);
  const action = actionOf(choice);
  const objects = useObjectCount(action, from, to);

  const close = (): void => {
    running.current?.abort();
    onClose();
  };
  const run = async (): Promise<void> => {
    if (action === null) return;
    const started = new AbortController();
    running.current = started;
    setProblem(null);
    setShare(0);
    try {
      const count = await bulk.run({ action, from, to, onProgress: setShare, signal: started.signal });
      if (started.signal.aborted) return;
      if (count === 0) setProblem(t('editing.bulk.nothing'));
      else {
        notify.success(t(`editing.bulk.done.${action.kind}`, { count }));
        onClose();
      }
    } catch (error) {
      setProblem(t('editing.bulk.failed', { reason: messageOf(error) }));
    } finally {
      setShare(null);
    }
  };
  return (
    <FormDialog
      title={t('editing.bulk.title')}
      size="sm"
      submit={
        action !== null && objects === null
          ? t('editing.bulk.counting')
          : t(`editing.bulk.run.${choice.kind}`, { count: objects ?? 0 })
      }
      danger={choice.kind === 'delete'}
      isBusy={share !== null}
      isReady={action !== null && objects !== null && objects > 0}
      error={problem ?? undefined}
      onSubmit={() => void run()}
      onClose={close}
    >
      <Select
        label={t('editing.bulk.what')}
        data-autofocus
        allowDeselect={false}
        data={bulkKinds.map((kind) => ({ value: kind, label: t(`editing.bulk.kinds.${kind}`) }))}
        value={choice.kind}
        onChange={(value) => value !== null && setChoice({ ...choice, kind: value as BulkKind })}
      />
      <Details choice={choice} onChange={(part) => setChoice({ ...choice, ...part })} />
      <Group grow>
        <FrameNumber label={t('editing.bulk.from')} min={job.start_frame} max={to} value={from} onChange={setFrom} />
        <FrameNumber label={t('editing.bulk.to')} min={from} max={job.stop_frame} value={to} onChange={setTo} />
      </Group>
      <Text fz="sm" c="dimmed" role="status">
        {filter === null ? t('editing.bulk.all') : t('editing.bulk.filtered', { name: filter })}{' '}
        {objects === 0 ? t('editing.bulk.nothing') : frames === null ? '' : t('editing.bulk.frames', { count: frames })}
      </Text>
      <Text fz="sm" c="dimmed">
        {t('editing.bulk.note')}
      </Text>
      {share !== null && <Progress value={share * 100} aria-label={t('editing.bulk.running')} />}
    </FormDialog>
  );
}
