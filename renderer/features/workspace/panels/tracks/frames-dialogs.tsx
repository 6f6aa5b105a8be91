import { useState } from 'react';
import { useText } from '../../../../i18n/index.ts';
import { FormDialog } from '../../../../ui/form.tsx';
import { NumberInput, Radio, Stack, Text } from '../../../../ui/kit.ts';
import { useSession } from '../session-context.ts';

interface FrameNumberProps {
  readonly label: string;
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly disabled?: boolean;
  readonly onChange: (value: number) => void;
}

export const FrameNumber = ({ value, onChange, ...props }: FrameNumberProps) => (
  <NumberInput
    {...props}
    size="sm"
    allowDecimal={false}
    value={value}
    onChange={(next) => typeof next === 'number' && onChange(next)}
  />
);

/** Converts the selected tracks to plain shapes on their keyframes or every N-th frame. */
export function ShapesDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useText();
  const { job, trackController } = useSession();
  const [where, setWhere] = useState('keyframes');
  const [step, setStep] = useState(10);
  const make = (): void => {
    trackController.toShapes(where === 'keyframes' ? null : step);
    onClose();
  };
  return (
    <FormDialog
      title={t('track.shapesTitle')}
      size="sm"
      submit={t('track.makeShapes')}
      onSubmit={make}
      onClose={onClose}
    >
      <Radio.Group label={t('track.shapesWhere')} value={where} onChange={(next) => setWhere(String(next))}>
        <Stack gap={8} mt={8}>
          <Radio value="keyframes" label={t('track.onKeyframes')} />
          <Radio value="every" label={t('track.onEvery')} />
        </Stack>
      </Radio.Group>
      <FrameNumber
        label={t('track.step')}
        min={1}
        max={Math.max(1, job.stop_frame - job.start_frame)}
        disabled={where === 'keyframes'}
        value={step}
        onChange={setStep}
      />
      <Text fz="sm" c="dimmed">
        {t('track.shapesWhat')}
      </Text>
    </FormDialog>
  );
}

/** Copies the selected shapes to the frames before or after this one. */
export function PropagateDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useText();
  const { job, trackController, store } = useSession();
  const { frame } = store.getState();
  const [last, setLast] = useState(Math.min(job.stop_frame, frame + 10));
  const [step, setStep] = useState(1);
  const count = Math.floor(Math.abs(last - frame) / step) * trackController.shapes().length;
  const copy = (): void => {
    trackController.propagate(last, step);
    onClose();
  };
  return (
    <FormDialog
      title={t('track.copyTitle')}
      size="sm"
      submit={t('track.copy')}
      isReady={count > 0}
      onSubmit={copy}
      onClose={onClose}
    >
      <FrameNumber
        label={t('track.copyTo')}
        min={job.start_frame}
        max={job.stop_frame}
        value={last}
        onChange={setLast}
      />
      <FrameNumber
        label={t('track.copyEvery')}
        min={1}
        max={Math.max(1, job.stop_frame - job.start_frame)}
        value={step}
        onChange={setStep}
      />
      <Text fz="sm" c="dimmed">
        {t('track.copyCount', { count })}
      </Text>
    </FormDialog>
  );
}
