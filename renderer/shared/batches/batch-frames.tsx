import { useText } from '../../i18n/index.ts';
import { Group, MultiSelect, NumberInput, ChoiceField } from '../../ui/kit.ts';
import { numberOf, type BatchTarget, type PartProps } from './batch-choice.ts';

export function FrameRange({
  chosen,
  onChange,
  frames,
}: PartProps & { readonly frames: NonNullable<BatchTarget['frames']> }) {
  const t = useText();
  const { first, last } = frames;
  return (
    <Group grow gap="sm">
      <NumberInput
        label={t('batches.first')}
        placeholder={t('batches.from', { frame: first })}
        min={first}
        max={last}
        allowDecimal={false}
        value={chosen.first ?? ''}
        onChange={(value) => onChange({ first: numberOf(value) })}
      />
      <NumberInput
        label={t('batches.last')}
        placeholder={t('batches.to', { frame: last })}
        min={first}
        max={last}
        allowDecimal={false}
        value={chosen.last ?? ''}
        onChange={(value) => onChange({ last: numberOf(value) })}
      />
    </Group>
  );
}

const kinds = ['all', 'empty', 'annotated'] as const;

export function FramesByContent({ chosen, onChange, labels }: PartProps & { readonly labels: readonly string[] }) {
  const t = useText();
  const isEmpty = chosen.frames === 'empty';
  return (
    <>
      <ChoiceField
        label={t('batches.frames')}
        data={kinds.map((value) => ({ value, label: t(`batches.frameKinds.${value}`) }))}
        value={chosen.frames}
        onChange={(next) => onChange({ frames: kinds.find((kind) => kind === next) ?? 'all' })}
      />
      {!isEmpty && labels.length > 0 && (
        <Group grow gap="sm" align="flex-start">
          <MultiSelect
            label={t('batches.withLabels')}
            placeholder={chosen.withLabels.length === 0 ? t('batches.anyLabel') : ''}
            data={[...labels]}
            value={[...chosen.withLabels]}
            onChange={(withLabels) => onChange({ withLabels })}
          />
          <MultiSelect
            label={t('batches.withoutLabels')}
            placeholder={chosen.withoutLabels.length === 0 ? t('batches.noLabel') : ''}
            data={[...labels]}
            value={[...chosen.withoutLabels]}
            onChange={(withoutLabels) => onChange({ withoutLabels })}
          />
        </Group>
      )}
    </>
  );
}
