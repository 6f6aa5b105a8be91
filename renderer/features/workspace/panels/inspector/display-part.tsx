import { useQuery } from '@tanstack/react-query';
import type { DisplayFacts } from '../../../../../preload/contract/schema/resources.ts';
import { defaultWindow } from '../../../../../preload/geometry/value-window.ts';
import { useText } from '../../../../i18n/index.ts';
import { Group, RangeSlider, Select, Stack } from '../../../../ui/kit.ts';
import { useAnnotate, useSession } from '../session-context.ts';
import classes from './inspector.module.css';
import type { FrameDisplay } from '../../model/types.ts';

interface PartProps {
  readonly facts: DisplayFacts;
  readonly display: FrameDisplay;
  readonly onChange: (change: FrameDisplay) => void;
}

function BandsPart({ facts, display, onChange }: PartProps) {
  const t = useText();
  const shown = display.bands?.every((band) => band < facts.bands) ? display.bands : facts.shown;
  const bands = Array.from({ length: facts.bands }, (_, band) => ({
    value: String(band),
    label: t('view.band', { number: band + 1 }),
  }));
  const isGray = shown.length === 1;
  const channels = isGray ? (['gray'] as const) : (['red', 'green', 'blue'] as const);
  return (
    <>
      {facts.bands >= 3 && (
        <Select
          size="xs"
          label={t('view.bandsAs')}
          allowDeselect={false}
          data={(['colour', 'gray'] as const).map((kind) => ({ value: kind, label: t(`view.bandsAsKind.${kind}`) }))}
          value={isGray ? 'gray' : 'colour'}
          onChange={(kind) => onChange({ bands: kind === 'gray' ? [shown[0] ?? 0] : [0, 1, 2] })}
        />
      )}
      <Group gap={8} grow wrap="nowrap">
        {channels.map((channel, index) => (
          <Select
            key={channel}
            size="xs"
            label={t(`view.channel.${channel}`)}
            allowDeselect={false}
            data={bands}
            value={String(shown[index] ?? 0)}
            onChange={(band) => onChange({ bands: shown.map((old, at) => (at === index ? Number(band) : old)) })}
          />
        ))}
      </Group>
    </>
  );
}

function WindowPart({ display, onChange }: Omit<PartProps, 'facts'>) {
  const t = useText();
  const value: [number, number] = [...(display.window ?? defaultWindow)];
  return (
    <Stack gap={8} className={classes.valueWindow ?? ''}>
      <Group justify="space-between" wrap="nowrap">
        <span>{t('view.valueWindow')}</span>
        <span>{t('view.valueWindowShown', { low: value[0], high: value[1] })}</span>
      </Group>
      <RangeSlider
        key={value.join()}
        size={4}
        thumbSize={14}
        min={0}
        max={100}
        step={0.1}
        minRange={0.1}
        label={null}
        thumbFromLabel={t('view.valueBlack')}
        thumbToLabel={t('view.valueWhite')}
        defaultValue={value}
        onChangeEnd={([low, high]) => onChange({ window: [low, high] })}
      />
    </Stack>
  );
}

/** Bands and values of images with more than a screen shows; empty for all others. */
export function DisplayPart() {
  const { job, display: controller } = useSession();
  const display = useAnnotate((state) => state.display);
  const frame = useAnnotate((state) => state.frame);
  const { data: facts } = useQuery({
    queryKey: ['display', job.id, frame],
    queryFn: () => controller.facts(frame),
    staleTime: Infinity,
  });
  if (!facts) return null;
  return (
    <>
      {facts.bands > 1 && <BandsPart facts={facts} display={display} onChange={controller.set} />}
      {facts.has_window && <WindowPart display={display} onChange={controller.set} />}
    </>
  );
}
