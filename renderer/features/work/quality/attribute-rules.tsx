import type { Label } from '../../../../preload/contract/schema/labels.ts';
import type { AttributeComparison } from '../../../../preload/contract/schema/quality-requirements.ts';
import { useText } from '../../../i18n/index.ts';
import { ChoiceLine, NumberLine } from './requirement-fields.tsx';

interface AttributeRulesProps {
  readonly comparison: AttributeComparison;
  readonly labels: readonly Label[];
  readonly mayInherit: boolean;
  readonly disabled: boolean;
  readonly onChange: (comparison: AttributeComparison) => void;
}

const modes = ['exact', 'similar', 'ignore'] as const;
type Mode = (typeof modes)[number];
type Rule = AttributeComparison['rules'][number];

/** Similarity of texts that CVAT proposes. */
const usualSimilarity = 0.8;

const modeOf = ({
  enabled,
  comparator,
}: Pick<AttributeComparison['default'], 'enabled' | 'comparator'>): Mode | null => {
  if (enabled === false) return 'ignore';
  if (comparator !== null) return comparator === 'levenshtein' ? 'similar' : 'exact';
  return enabled === true ? 'exact' : null;
};

const valuesOf = (mode: Mode, threshold: number | null): Omit<Rule, 'spec_id'> => ({
  enabled: mode !== 'ignore',
  comparator: mode === 'similar' ? 'levenshtein' : mode === 'exact' ? 'exact' : null,
  threshold: mode === 'similar' ? (threshold ?? usualSimilarity) : null,
});

/** How attributes are compared: a default, and rules for single attributes. */
export function AttributeRules({ comparison, labels, mayInherit, disabled, onChange }: AttributeRulesProps) {
  const t = useText();
  const choices = modes.map((value) => ({ value, label: t(`requirements.comparators.${value}`) }));
  const attributes = labels
    .flatMap((label) => [label, ...label.sublabels])
    .flatMap((label) => label.attributes.map(({ id, name }) => ({ id, name, label: label.name })));
  const ruleOf = (id: number): Rule | undefined => comparison.rules.find((rule) => rule.spec_id === id);
  const put = (id: number, values: Omit<Rule, 'spec_id'> | null): void =>
    onChange({
      ...comparison,
      rules: [
        ...comparison.rules.filter((rule) => rule.spec_id !== id),
        ...(values === null ? [] : [{ spec_id: id, ...values }]),
      ],
    });
  const usual = comparison.default;
  return (
    <>
      <ChoiceLine
        label={t('requirements.allOthers')}
        choices={choices}
        own={modeOf(usual)}
        inherited={mayInherit ? t('requirements.inherited') : undefined}
        disabled={disabled}
        onChange={(mode) =>
          onChange({
            ...comparison,
            default:
              mode === null ? { enabled: null, comparator: null, threshold: null } : valuesOf(mode, usual.threshold),
          })
        }
      />
      {modeOf(usual) === 'similar' && (
        <NumberLine
          label={t('requirements.similarity')}
          own={usual.threshold}
          inherited={usualSimilarity}
          mayInherit={false}
          disabled={disabled}
          onChange={(threshold) => onChange({ ...comparison, default: { ...usual, threshold } })}
        />
      )}
      {attributes.map(({ id, name, label }) => {
        const rule = ruleOf(id);
        const mode = rule === undefined ? null : modeOf(rule);
        return (
          <div key={id}>
            <ChoiceLine
              label={name}
              note={label}
              name={t('requirements.attributeOf', { name, label })}
              choices={choices}
              own={mode}
              inherited={t('requirements.asOthers')}
              disabled={disabled}
              onChange={(next) => put(id, next === null ? null : valuesOf(next, rule?.threshold ?? null))}
            />
            {mode === 'similar' && (
              <NumberLine
                label={t('requirements.similarityOf', { name })}
                own={rule?.threshold ?? usualSimilarity}
                inherited={usualSimilarity}
                mayInherit={false}
                disabled={disabled}
                onChange={(threshold) => put(id, valuesOf('similar', threshold))}
              />
            )}
          </div>
        );
      })}
    </>
  );
}
