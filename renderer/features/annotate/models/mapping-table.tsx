import { useState } from 'react';
import { labelsFit } from '../../../../preload/contract/label-fit.ts';
import type { LambdaFunction, LambdaLabel } from '../../../../preload/contract/schema/functions.ts';
import { useText } from '../../../i18n/index.ts';
import { Anchor, Select, Text } from '../../../ui/kit.ts';
import { useAnnotate, useSession } from '../session-context.ts';
import { mappedCount, type LabelChoice } from './label-mapping.ts';
import classes from './models.module.css';

const make = 'make';

interface PairProps {
  readonly model: LambdaLabel;
  readonly value: number | null;
  readonly onChange: (labelId: number | null) => void;
}

const Pair = ({ model, value, onChange }: PairProps) => {
  const t = useText();
  const { drawing } = useSession();
  const labels = useAnnotate((state) => state.labels).filter(({ type }) => labelsFit(model.type, type));
  const canMake = model.type !== 'skeleton' && !labels.some(({ name }) => name === model.name);
  const choose = (chosen: string | null): void => {
    if (chosen !== make) {
      onChange(chosen === null ? null : Number(chosen));
      return;
    }
    void drawing.labelNamed(model.name).then((label) => label !== null && onChange(label.id));
  };
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
    </div>
  );
};

interface MappingTableProps {
  readonly model: LambdaFunction;
  readonly choice: LabelChoice;
  readonly onChange: (choice: LabelChoice) => void;
}

/** With more labels than this, those that are left out are folded away. */
const fewLabels = 8;

/** Which of the model's labels become which labels of the task. */
export function MappingTable({ model, choice, onChange }: MappingTableProps) {
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
            value={choice[one.name] ?? null}
            onChange={(labelId) => onChange({ ...choice, [one.name]: labelId })}
          />
        ))}
      </div>
      {count === 0 && (
        <Text fz="xs" c="dimmed" mt={4}>
          {t('assist.mapFirst')}
        </Text>
      )}
    </div>
  );
}
