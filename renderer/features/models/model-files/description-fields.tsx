import { useState } from 'react';
import { isPromptHead, type ModelDescription } from '../../../../preload/contract/schema/model-files.ts';
import { useText } from '../../../i18n/index.ts';
import { Group, NumberInput, Stack, Text, Textarea, TextInput, ChoiceField } from '../../../ui/kit.ts';

interface DescriptionFieldsProps {
  readonly description: ModelDescription;
  readonly onChange: (description: ModelDescription) => void;
}

const fits = ['stretch', 'letterbox', 'square', 'corner', 'crop', 'multiple'] as const;
const shrinks = ['sampled', 'smooth'] as const;
const boxForms = ['xyxy', 'cxcywh', 'yxyx'] as const;
const units = ['pixels', 'share'] as const;
const scoreForms = ['none', 'sigmoid', 'softmax', 'range'] as const;
const shapes = ['rectangle', 'mask', 'polygon', 'skeleton', 'tag'] as const;
const colours = ['RGB', 'BGR'] as const;

export function DescriptionFields({ description, onChange }: DescriptionFieldsProps) {
  const t = useText();
  const { input, output, kind } = description;
  const changeInput = (part: Partial<typeof input>): void => onChange({ ...description, input: { ...input, ...part } });
  type Output = typeof output;
  type Chosen = 'boxes' | 'unit' | 'scores' | 'shape';
  const nameOf = (key: Chosen): string => t(`modelFiles.${key}`);
  const chooseOutput = <Key extends Chosen>(
    key: Key,
    values: readonly Output[Key][],
    text: (value: Output[Key]) => string,
  ) => (
    <Choice
      label={nameOf(key)}
      value={output[key]}
      values={values}
      text={text}
      onChange={(value) => onChange({ ...description, output: { ...output, [key]: value } })}
    />
  );
  return (
    <Stack gap="md">
      {kind === 'detector' && <DetectorFields description={description} onChange={onChange} />}
      <Text fw={600} fz="sm">
        {t('modelFiles.goesIn')}
      </Text>
      <Group gap="sm" grow>
        <Whole label={t('modelFiles.width')} value={input.width} onChange={(width) => changeInput({ width })} />
        <Whole label={t('modelFiles.height')} value={input.height} onChange={(height) => changeInput({ height })} />
      </Group>
      <Choice
        label={t('modelFiles.fit')}
        value={input.fit}
        values={fits}
        text={(one) => t(`modelFiles.fits.${one}`)}
        onChange={(fit) => changeInput({ fit })}
      />
      <Choice
        label={t('modelFiles.shrink')}
        value={input.smooth ? 'smooth' : 'sampled'}
        values={shrinks}
        text={(one) => t(`modelFiles.shrinks.${one}`)}
        onChange={(one) => changeInput({ smooth: one === 'smooth' })}
      />
      <Group gap="sm" grow>
        <Choice
          label={t('modelFiles.colour')}
          value={input.colour}
          values={colours}
          text={(one) => one}
          onChange={(colour) => changeInput({ colour })}
        />
        <NumberInput
          size="xs"
          label={t('modelFiles.divisor')}
          min={0.001}
          value={input.divisor}
          onChange={(value) => typeof value === 'number' && value > 0 && changeInput({ divisor: value })}
        />
      </Group>
      <Group gap="sm" grow>
        <Three label={t('modelFiles.mean')} value={input.mean} onChange={(mean) => changeInput({ mean })} />
        <Three
          label={t('modelFiles.deviation')}
          value={input.deviation}
          onChange={(deviation) => deviation.every((one) => one > 0) && changeInput({ deviation })}
        />
      </Group>
      {kind === 'detector' && (
        <>
          <Text fw={600} fz="sm">
            {t('modelFiles.comesOut')}
          </Text>
          <Group gap="sm" grow>
            {chooseOutput('boxes', boxForms, (one) => t(`modelFiles.boxForms.${one}`))}
            {chooseOutput('unit', units, (one) => t(`modelFiles.units.${one}`))}
          </Group>
          <Group gap="sm" grow>
            {chooseOutput('scores', scoreForms, (one) => t(`modelFiles.scoreForms.${one}`))}
            {chooseOutput('shape', shapes, (one) => t(`modelFiles.shapes.${one}`))}
          </Group>
        </>
      )}
    </Stack>
  );
}

function DetectorFields({ description, onChange }: DescriptionFieldsProps) {
  const t = useText();
  const { labels, threshold, overlap } = description;
  const [text, setText] = useState(() => labels.join('\n'));
  return (
    <>
      {!isPromptHead(description.head) && (
        <Textarea
          size="xs"
          label={t('modelFiles.labels')}
          description={t('modelFiles.labelCount', { count: labels.length })}
          rows={6}
          spellCheck={false}
          value={text}
          onChange={(value) => {
            setText(value);
            const lines = value.split('\n').map((line) => line.trim());
            onChange({ ...description, labels: lines.filter((line) => line !== '') });
          }}
        />
      )}
      <Group gap="sm" grow align="flex-end">
        <NumberInput
          size="xs"
          label={t('modelFiles.threshold')}
          min={0}
          max={1}
          step={0.05}
          value={threshold}
          onChange={(value) => typeof value === 'number' && onChange({ ...description, threshold: value })}
        />
        <NumberInput
          size="xs"
          label={t('modelFiles.overlap')}
          placeholder={t('modelFiles.overlapNone')}
          min={0}
          max={1}
          step={0.05}
          value={overlap ?? ''}
          onChange={(value) => onChange({ ...description, overlap: typeof value === 'number' ? value : null })}
        />
      </Group>
    </>
  );
}

interface WholeProps {
  readonly label: string;
  readonly value: number;
  readonly onChange: (value: number) => void;
}

function Whole({ label, value, onChange }: WholeProps) {
  return (
    <NumberInput
      size="xs"
      label={label}
      min={8}
      max={8192}
      allowDecimal={false}
      value={value}
      onChange={(next) => typeof next === 'number' && next >= 8 && next <= 8192 && onChange(next)}
    />
  );
}

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly values: readonly Value[];
  readonly text: (value: Value) => string;
  readonly onChange: (value: Value) => void;
}

function Choice<Value extends string>({ label, value, values, text, onChange }: ChoiceProps<Value>) {
  return (
    <ChoiceField
      size="xs"
      label={label}
      data={values.map((one) => ({ value: one, label: text(one) }))}
      value={value}
      onChange={onChange}
    />
  );
}

interface ThreeProps {
  readonly label: string;
  readonly value: readonly number[];
  readonly onChange: (value: number[]) => void;
}

function threeNumbers(text: string): number[] | null {
  const parts = text.trim().split(/[\s;]+/);
  const numbers = parts.map(Number);
  return numbers.length === 3 && numbers.every(Number.isFinite) ? numbers : null;
}

function Three({ label, value, onChange }: ThreeProps) {
  const t = useText();
  const [text, setText] = useState(() => value.join(' '));
  const isGood = threeNumbers(text) !== null;
  return (
    <TextInput
      size="xs"
      label={label}
      value={text}
      error={isGood ? undefined : t('modelFiles.numbers')}
      onChange={(next) => {
        setText(next);
        const numbers = threeNumbers(next);
        if (numbers !== null) onChange(numbers);
      }}
    />
  );
}
