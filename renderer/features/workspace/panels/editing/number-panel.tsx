import { useState } from 'react';
import type { ShapeRecord } from '../../../../canvas/types.ts';
import { useText } from '../../../../i18n/index.ts';
import { NumberInput, SimpleGrid, Text, Textarea } from '../../../../ui/kit.ts';
import { useSession } from '../session-context.ts';
import {
  boxNumbers,
  hasVertices,
  vertexText,
  withBoxNumbers,
  withVertexText,
  type BoxNumbers,
  type NumberProblem,
} from '../../model/editing/shape-numbers.ts';

interface NumberFieldProps {
  readonly label: string;
  /** Null if the objects differ. */
  readonly value: number | null;
  readonly decimals: number;
  readonly disabled?: boolean;
  readonly placeholder?: string;
  readonly error?: string | null;
  readonly onChange: (value: number) => void;
}

/** Number input that commits one edit on blur or Enter. Escape discards the typed text. */
export function NumberField({ label, value, decimals, disabled, placeholder, error, onChange }: NumberFieldProps) {
  const [typed, setTyped] = useState<number | string | null>(null);
  const keep = (): void => {
    const number = Number(typed);
    if (typed !== null && typed !== '' && Number.isFinite(number) && number !== value) onChange(number);
    setTyped(null);
  };
  return (
    <NumberInput
      size="xs"
      label={label}
      disabled={disabled ?? false}
      hideControls
      decimalScale={decimals}
      allowDecimal={decimals > 0}
      placeholder={placeholder ?? ''}
      error={error ?? null}
      value={typed ?? value ?? ''}
      onChange={setTyped}
      onBlur={keep}
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.currentTarget.blur();
        if (event.key === 'Escape') setTyped(null);
      }}
    />
  );
}

const names = ['x', 'y', 'width', 'height', 'rotation'] as const satisfies readonly (keyof BoxNumbers)[];

export function NumberPanel({ shape }: { readonly shape: ShapeRecord }) {
  const t = useText();
  const { engine, metaOf } = useSession();
  const [problem, setProblem] = useState<NumberProblem | null>(null);
  const [typed, setTyped] = useState<string | null>(null);
  const box = boxNumbers(shape);
  const limits = metaOf(shape.frame) ?? null;
  const take = (made: ReturnType<typeof withBoxNumbers>): boolean => {
    setProblem('problem' in made ? made.problem : null);
    if ('problem' in made) return false;
    const { points, rotation } = made.value;
    engine.update([shape.clientId], { points, rotation }, 'resize');
    return true;
  };
  const said = problem === null ? null : t(`editing.numbers.${problem.key}`, { ...problem.values });
  if (box !== null) {
    return (
      <div>
        <SimpleGrid cols={2} spacing={8} verticalSpacing={4}>
          {names.map((name) => (
            <NumberField
              key={name}
              label={t(`editing.numbers.${name}`)}
              value={box[name]}
              decimals={2}
              disabled={shape.locked}
              onChange={(value) => take(withBoxNumbers(shape, { ...box, [name]: value }, limits))}
            />
          ))}
        </SimpleGrid>
        {said !== null && (
          <Text fz="xs" c="red" role="alert">
            {said}
          </Text>
        )}
      </div>
    );
  }
  if (!hasVertices(shape)) return null;
  const keep = (): void => {
    if (typed === null || typed === vertexText(shape) || take(withVertexText(shape, typed, limits))) setTyped(null);
  };
  return (
    <Textarea
      size="xs"
      label={t('editing.numbers.vertices')}
      disabled={shape.locked}
      rows={Math.min(6, shape.points.length / 2 + 1)}
      value={typed ?? vertexText(shape)}
      error={said}
      onChange={setTyped}
      onBlur={keep}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.blur();
        if (event.key !== 'Escape') return;
        setTyped(null);
        setProblem(null);
      }}
    />
  );
}
