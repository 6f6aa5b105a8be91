import { useText } from '../../../i18n/index.ts';
import { ChoiceField, Group, NumberInput, Textarea, TextInput } from '../../../ui/kit.ts';
import type { ValidationChoice, ValidationMode } from './validation-choice.ts';

interface ValidationFieldsProps {
  readonly choice: ValidationChoice;
  /** Without it, the mode is not offered. */
  readonly modes?: readonly ValidationMode[];
  /** Files have names before a task has frames. */
  readonly framesAs: 'names' | 'numbers';
  readonly onChange: (change: Partial<ValidationChoice>) => void;
}

/** Mode, selection method, amount and seed of a ground truth. */
export function ValidationFields({ choice, modes, framesAs, onChange }: ValidationFieldsProps) {
  const t = useText();
  const { mode, method, frames, seed } = choice;
  const methods = (['random_uniform', 'random_per_job', 'manual'] as const).filter(
    (one) => mode !== 'gt_pool' || one !== 'random_per_job',
  );
  return (
    <>
      {modes !== undefined && (
        <ChoiceField
          label={t('validation.mode')}
          description={t(`validation.modeHints.${mode}`)}
          data={modes.map((value) => ({ value, label: t(`validation.modes.${value}`) }))}
          value={mode}
          onChange={(next) =>
            onChange({
              mode: next,
              ...(next === 'gt_pool' && method === 'random_per_job' ? { method: 'random_uniform' } : {}),
            })
          }
        />
      )}
      {mode !== 'none' && (
        <>
          <ChoiceField
            label={t('validation.method')}
            description={t(`validation.methodHints.${method}`)}
            data={methods.map((value) => ({ value, label: t(`validation.methods.${value}`) }))}
            value={method}
            onChange={(next) => onChange({ method: next })}
          />
          {method !== 'manual' && (
            <Amount
              label={t(
                mode === 'gt_pool'
                  ? 'validation.pool'
                  : method === 'random_per_job'
                    ? 'validation.perJob'
                    : 'validation.frames',
              )}
              unit={choice.unit}
              amount={choice.amount}
              onChange={(unit, amount) => onChange({ unit, amount })}
            />
          )}
          {method === 'manual' &&
            (framesAs === 'names' ? (
              <Textarea
                label={t('validation.names')}
                description={t('validation.namesHint')}
                autosize
                minRows={3}
                maxRows={8}
                spellCheck={false}
                value={frames}
                onChange={(value) => onChange({ frames: value })}
              />
            ) : (
              <TextInput
                label={t('validation.numbers')}
                placeholder="0, 5, 10-12"
                value={frames}
                onChange={(value) => onChange({ frames: value })}
              />
            ))}
          {mode === 'gt_pool' && (
            <Amount
              label={t('validation.honeypots')}
              unit={choice.perJobUnit}
              amount={choice.perJob}
              onChange={(perJobUnit, perJob) => onChange({ perJobUnit, perJob })}
            />
          )}
          {method !== 'manual' && (
            <NumberInput
              label={t('validation.seed')}
              description={t('validation.seedHint')}
              placeholder={t('validation.anySeed')}
              min={0}
              max={2 ** 32 - 1}
              allowDecimal={false}
              value={seed ?? ''}
              onChange={(value) => onChange({ seed: value === '' ? null : Number(value) })}
            />
          )}
        </>
      )}
    </>
  );
}

interface AmountProps {
  readonly label: string;
  readonly unit: 'count' | 'share';
  readonly amount: number;
  readonly onChange: (unit: 'count' | 'share', amount: number) => void;
}

const Amount = ({ label, unit, amount, onChange }: AmountProps) => {
  const t = useText();
  return (
    <Group gap={8} wrap="nowrap" align="flex-end" style={{ alignSelf: 'start' }}>
      <NumberInput
        flex={1}
        label={label}
        min={unit === 'count' ? 1 : 0.1}
        {...(unit === 'share' ? { max: 100 } : {})}
        allowDecimal={unit === 'share'}
        value={amount}
        onChange={(value) => value !== '' && onChange(unit, Number(value))}
      />
      <ChoiceField
        w={104}
        aria-label={t('validation.unitOf', { label })}
        data={(['count', 'share'] as const).map((value) => ({ value, label: t(`validation.units.${value}`) }))}
        value={unit}
        onChange={(next) => onChange(next, next === 'share' ? Math.min(100, amount) : Math.max(1, Math.round(amount)))}
      />
    </Group>
  );
};
