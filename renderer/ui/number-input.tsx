import { NumberInput as KitNumberInput, Tooltip, type NumberInputProps } from '@mantine/core';
import { useEffect, useRef, useState, type FocusEvent } from 'react';
import { useText, type TextFunction } from '../i18n/index.ts';

interface Props extends Omit<
  NumberInputProps,
  'clampBehavior' | 'value' | 'defaultValue' | 'onChange' | 'min' | 'max'
> {
  readonly value?: number | string;
  readonly defaultValue?: number | string;
  readonly min?: number;
  readonly max?: number;
  readonly onChange?: (value: number | string) => void;
  /** Accepts only `min` plus whole steps; by default steps only affect the arrow keys. */
  readonly inSteps?: boolean;
}

interface Typed {
  readonly text: number | string;
  /** Value before editing, and the values passed to the parent since. */
  readonly before: number | string;
  readonly handed: number | string;
}

type Limits = Pick<Props, 'min' | 'max' | 'step' | 'inSteps' | 'allowDecimal'>;

/** Tolerance for binary fractions of decimal steps. */
const rounding = 1e6;

function problemOf(text: number | string, limits: Limits, t: TextFunction): string | null {
  if (text === '') return null;
  const value = Number(text);
  const { min, max, step = 1, inSteps = false, allowDecimal = true } = limits;
  if (!Number.isFinite(value)) return t('common.number.notNumber');
  if (!allowDecimal && !Number.isInteger(value)) return t('common.number.whole');
  const isOut = (min !== undefined && value < min) || (max !== undefined && value > max);
  if (isOut && min !== undefined && max !== undefined) return t('common.number.between', { min, max });
  if (isOut) return min === undefined ? t('common.number.most', { max }) : t('common.number.least', { min });
  const steps = (value - (min ?? 0)) / Number(step);
  const isStep = !inSteps || Number(step) <= 0 || Number.isInteger(Math.round(steps * rounding) / rounding);
  return isStep ? null : t('common.number.step', { step: Number(step), min: min ?? 0 });
}

/**
 * A number field that passes on the typed value or shows why it is invalid: never truncated, rounded or clamped. While
 * the text is invalid, the previous value applies and the form cannot be submitted.
 */
export function NumberInput(props: Props) {
  const { value, onChange, onBlur, onFocus, error, inSteps, allowDecimal, allowNegative, ...rest } = props;
  const { min, max, step, label } = rest;
  const t = useText();
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState<Typed | null>(null);
  const [isLeft, setLeft] = useState(false);
  const start = useRef(value);
  const limits: Limits = {
    ...(min === undefined && allowNegative === false ? { min: 0 } : min === undefined ? {} : { min }),
    ...(max === undefined ? {} : { max }),
    ...(step === undefined ? {} : { step }),
    ...(inSteps === undefined ? {} : { inSteps }),
    ...(allowDecimal === undefined ? {} : { allowDecimal }),
  };
  const isControlled = value !== undefined;
  // An external value replaces the typed text.
  const isOwn = typed !== null && (!isControlled || value === typed.before || value === typed.handed);
  const text = isOwn ? typed.text : (value ?? '');
  const problem = isOwn ? problemOf(text, limits, t) : null;
  // A small number may still become a larger one while typing.
  const isGrowing = !isLeft && (text === '-' || (min !== undefined && Number(text) < min));
  const shown = problem !== null && !isGrowing ? problem : null;
  useEffect(() => input.current?.setCustomValidity(problem ?? ''), [problem]);

  const change = (next: number | string): void => {
    const isGood = next === '' || problemOf(next, limits, t) === null;
    // The previous value applies while the text is invalid.
    const handed = isGood ? (next === '' ? '' : Number(next)) : (start.current ?? '');
    setLeft(false);
    setTyped({ text: next, before: value ?? '', handed });
    if (isGood || isControlled) onChange?.(handed);
  };
  const leave = (event: FocusEvent<HTMLInputElement>): void => {
    setLeft(true);
    if (problem !== null) return;
    if (isControlled) setTyped(null);
    onBlur?.(event);
  };
  const field = (
    <KitNumberInput
      {...rest}
      ref={input}
      clampBehavior="none"
      {...(isControlled ? { value: text } : {})}
      error={error ?? (label === undefined && shown !== null ? true : shown)}
      onChange={(next) => change(typeof next === 'bigint' ? Number(next) : next)}
      onFocus={(event) => {
        if (problem === null) start.current = value;
        onFocus?.(event);
      }}
      onBlur={leave}
    />
  );
  // A field without a label is in a bar of fixed height.
  return label === undefined ? (
    <Tooltip label={shown} opened={shown !== null} color="red" position="bottom" role="alert">
      {field}
    </Tooltip>
  ) : (
    field
  );
}
