import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { labelsFit } from '../../../preload/contract/label-fit.ts';
import type { LambdaFunction, LambdaLabel } from '../../../preload/contract/schema/functions.ts';
import type { Label } from '../../../preload/contract/schema/labels.ts';
import { useText } from '../../i18n/index.ts';
import { Anchor, Hint, Select, Text } from '../../ui/kit.ts';
import { mappedCount, missingAttributes, type LabelChoice } from './model-labels.ts';
import classes from './mapping-table.module.css';
import { modelQueries } from '../../api/model-queries.ts';

const make = 'make';

interface PairProps {
  readonly model: LambdaLabel;
  readonly labels: readonly Label[];
  readonly value: number | null;
  readonly onChange: (labelId: number | null) => void;
  readonly onMake: MappingTableProps['onMake'];
  readonly onMakeAttribute: MappingTableProps['onMakeAttribute'];
}

const Pair = ({ model, labels: all, value, onChange, onMake, onMakeAttribute }: PairProps) => {
  const t = useText();
  const labels = all.filter(({ type }) => labelsFit(model.type, type));
  const canMake = onMake !== undefined && model.type !== 'skeleton' && !labels.some(({ name }) => name === model.name);
  const choose = (chosen: string | null): void => {
    if (chosen !== make) {
      onChange(chosen === null ? null : Number(chosen));
      return;
    }
    void onMake?.(model).then((id) => id !== null && onChange(id));
  };
  const own = labels.find(({ id }) => id === value);
  const missing = own === undefined || onMakeAttribute === undefined ? [] : missingAttributes(model, own);
  return (
    <div className={classes.pair} data-testid="mapping">
      <span title={model.name}>{model.name}</span>
      <span className={classes.arrow} aria-hidden>
        →
      </span>
      <Select
        size="xs"
        aria-label={t('assist.labelFor', { name: model.name })}
        placeholder={t('assist.leftOut')}
        clearable
        searchable={labels.length > 8}
        data={[
          ...labels.map(({ id, name }) => ({ value: String(id), label: name })),
          ...(canMake ? [{ value: make, label: t('annotate.createLabel', { name: model.name }) }] : []),
        ]}
        value={value === null ? null : String(value)}
        onChange={choose}
      />
      {own !== undefined &&
        missing.map((attribute) => (
          <Text key={attribute.name} fz="xs" className={classes.missing ?? ''}>
            {t('assist.attributeMissing', { label: own.name, name: attribute.name })}{' '}
            <Anchor component="button" type="button" fz="xs" onClick={() => onMakeAttribute?.(own, attribute)}>
              {t('assist.addAttribute')}
            </Anchor>
          </Text>
        ))}
    </div>
  );
};

interface MappingTableProps {
  readonly model: Pick<LambdaFunction, 'labels_v2'>;
  readonly labels: readonly Label[];
  readonly choice: LabelChoice;
  readonly onChange: (choice: LabelChoice) => void;
  readonly onMake?: ((model: LambdaLabel) => Promise<number | null>) | undefined;
  /** Adds an attribute for a model's values to a label of the task. */
  readonly onMakeAttribute?: ((label: Label, attribute: LambdaLabel['attributes'][number]) => void) | undefined;
}

/** With more labels, those that are left out are collapsed. */
const fewLabels = 8;

export function MappingTable({ model, labels, choice, onChange, onMake, onMakeAttribute }: MappingTableProps) {
  const t = useText();
  const count = mappedCount(choice);
  const [open, setOpen] = useState(count === 0 || model.labels_v2.length <= fewLabels);
  const all = model.labels_v2;
  const shown = open ? all : all.filter(({ name }) => choice[name] !== null);
  return (
    <div>
      <div className={classes.titleLine}>
        <Text fz="sm" fw={600} flex={1}>
          {t('assist.labels', { count, total: all.length })}
        </Text>
        {all.length > fewLabels && (
          <Anchor component="button" type="button" fz="xs" onClick={() => setOpen(!open)}>
            {open ? t('assist.fold') : t('assist.unfold', { count: all.length - count })}
          </Anchor>
        )}
      </div>
      <div className={classes.mapping}>
        {shown.map((one) => (
          <Pair
            key={one.name}
            model={one}
            labels={labels}
            value={choice[one.name] ?? null}
            onChange={(labelId) => onChange({ ...choice, [one.name]: labelId })}
            onMake={onMake}
            onMakeAttribute={onMakeAttribute}
          />
        ))}
      </div>
      {count === 0 && <Hint mt={4}>{t('assist.mapFirst')}</Hint>}
    </div>
  );
}

const lookMs = 2000;

export function WaitingPlace({ name }: { readonly name: string }) {
  const t = useText();
  const model = useQuery({
    ...modelQueries.one(name),
    staleTime: 0,
    retry: false,
    // A function that runs elsewhere has no position.
    refetchInterval: ({ state: { status } }) => (status === 'error' ? false : lookMs),
  });
  const waiting = model.data?.waiting ?? null;
  if (waiting === null) return null;
  return (
    <Text fz="xs" role="status" title={waiting.message} data-testid="waiting-place">
      {t('models.waiting', { place: waiting.position })}
    </Text>
  );
}
