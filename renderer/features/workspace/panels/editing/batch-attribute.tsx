import { useText } from '../../../../i18n/index.ts';
import { Checkbox, Select, Text } from '../../../../ui/kit.ts';
import { AttributeField } from '../labels/attribute-field.tsx';
import classes from './editing.module.css';
import type { SharedAttribute } from '../../model/editing/shared-values.ts';

interface BatchAttributeProps {
  readonly shared: SharedAttribute;
  readonly onChange: (value: string) => void;
}

/** An attribute of several objects: the common value, or the values that occur. */
export function BatchAttribute({ shared, onChange }: BatchAttributeProps) {
  const t = useText();
  const { attribute, value, counts } = shared;
  const values = counts.map(([one, count]) => `${count} ${one === '' ? '–' : one}`).join(', ');
  const isChoice = attribute.input_type === 'select' || attribute.input_type === 'radio';
  return (
    <div data-testid="batch-attribute">
      {value === null && attribute.input_type === 'checkbox' && (
        <Checkbox size="xs" label={attribute.name} checked={false} indeterminate onChange={() => onChange('true')} />
      )}
      {value === null && isChoice && (
        <Select
          size="xs"
          label={attribute.name}
          placeholder={t('editing.mixed')}
          data={[...new Set(attribute.values)]}
          value={null}
          onChange={(next) => next !== null && onChange(next)}
        />
      )}
      {(value !== null || !(isChoice || attribute.input_type === 'checkbox')) && (
        <AttributeField attribute={attribute} disabled={false} value={value ?? ''} onChange={onChange} />
      )}
      {value === null && (
        <Text fz="xs" c="dimmed" className={classes.mixed ?? ''}>
          {t('editing.mixedOf', { values })}
        </Text>
      )}
    </div>
  );
}
