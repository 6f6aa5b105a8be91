import { IconCheck, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Label } from '../../../../preload/contract/schema/labels.ts';
import {
  pointSizeBases,
  requirementTypes,
  targetMetrics,
  type RequirementItem,
  type RequirementPatch,
} from '../../../../preload/contract/schema/quality-requirements.ts';
import { call } from '../../../api/client.ts';
import { qualityQueries } from '../../../api/quality-queries.ts';
import { useText } from '../../../i18n/index.ts';
import { useChange } from '../../../shared/use-change.ts';
import { Fold } from '../../../ui/fold.tsx';
import { FormError } from '../../../ui/form.tsx';
import { Button, Menu, Switch } from '../../../ui/kit.ts';
import { Loaded } from '../../../ui/loaded.tsx';
import { DeleteItem, MoreMenu } from '../../../ui/more-menu.tsx';
import { AttributeRules } from './attribute-rules.tsx';
import { ChoiceLine, NameLine, NumberLine, SwitchLine } from './requirement-fields.tsx';
import { RequirementFilter } from './requirement-filter.tsx';
import type { TreeRow } from './requirement-tree.ts';
import { metricChoices, metricText, requirementName, typeChoices, typeText } from './requirement-words.ts';
import classes from './requirements.module.css';

interface FormProps {
  readonly row: TreeRow;
  readonly all: readonly RequirementItem[];
  readonly labels: readonly Label[];
  /** The requirements are those of the project, which the task cannot change. */
  readonly isInherited: boolean;
  /** Adds a requirement below this one. */
  readonly onAdd: () => void;
  readonly onDelete: () => void;
}

const numbers = [
  ['iou_threshold', 'iou'],
  ['point_size', 'pointSize'],
  ['line_thickness', 'lineThickness'],
  ['line_orientation_threshold', 'orientationThreshold'],
  ['group_match_threshold', 'groupThreshold'],
  ['object_visibility_threshold', 'visibility'],
] as const;
const switches = [
  ['match_orientation', 'matchOrientation'],
  ['match_groups', 'matchGroups'],
  ['check_covered_annotations', 'checkCovered'],
  ['panoptic_comparison', 'panoptic'],
] as const;

type Effective = Readonly<Record<string, unknown>>;
const numberIn = (values: Effective, name: string): number => {
  const value = values[name];
  return typeof value === 'number' ? value : 0;
};

/** A requirement whose fields are saved when they change, with an undo of the last change. */
export function RequirementForm({ row, all, labels, isInherited, onAdd, onDelete }: FormProps) {
  const t = useText();
  const { item } = row;
  const [undo, setUndo] = useState<RequirementPatch | null>(null);
  const found = useQuery(qualityQueries.requirement(item.id));
  const save = useChange(
    (patch: RequirementPatch) => call('updateQualityRequirement', { params: { id: item.id }, body: patch }),
    {
      reloads: [
        ['quality', 'settings'],
        ['quality', 'requirement'],
      ],
    },
  );
  const change = (patch: RequirementPatch, done?: () => void): void => {
    // The item has all fields of a patch.
    const before = Object.fromEntries(
      Object.keys(patch).map((key) => [key, item[key as keyof RequirementItem]]),
    ) as RequirementPatch;
    save.mutate(patch, {
      onSuccess: () => {
        setUndo(before);
        done?.();
      },
    });
  };
  const name = requirementName(item, t);
  return (
    <section className={classes.panel} aria-label={t('requirements.settingsOf', { name })}>
      <header className={classes.head}>
        <h2 title={name}>{name}</h2>
        <Switch
          aria-label={t('requirements.enabled')}
          checked={item.enabled}
          disabled={isInherited}
          onChange={(enabled) => change({ enabled })}
        />
        {!item.is_base && !isInherited && (
          <MoreMenu of="row" label={t('requirements.moreOf', { name })}>
            <Menu.Item leftSection={<IconPlus size={16} />} onClick={onAdd}>
              {t('requirements.addBelow')}
            </Menu.Item>
            <DeleteItem onClick={onDelete} />
          </MoreMenu>
        )}
      </header>
      <Loaded query={found}>
        {({ effective }) => (
          <div className={classes.fields}>
            <MainFields row={row} all={all} effective={effective} disabled={isInherited} onChange={change} />
            <RequirementFilter
              filter={item.filter}
              labels={labels}
              disabled={isInherited}
              save={save}
              onChange={(filter, done) => change({ filter }, done)}
            />
            <Thresholds item={item} effective={effective} disabled={isInherited} onChange={change} />
            <Attributes item={item} labels={labels} disabled={isInherited} onChange={change} />
          </div>
        )}
      </Loaded>
      <FormError text={save.error?.message} />
      <footer className={classes.foot} role="status">
        {save.isPending && t('requirements.saving')}
        {!save.isPending && undo !== null && save.error === null && (
          <>
            <IconCheck size={14} aria-hidden /> {t('requirements.saved')}
            <Button
              size="compact-xs"
              variant="subtle"
              onClick={() => save.mutate(undo, { onSuccess: () => setUndo(null) })}
            >
              {t('requirements.undo')}
            </Button>
          </>
        )}
      </footer>
    </section>
  );
}

interface PartProps {
  readonly item: RequirementItem;
  readonly effective: Effective;
  readonly disabled: boolean;
  readonly onChange: (patch: RequirementPatch) => void;
}

type MainProps = Omit<PartProps, 'item'> & Pick<FormProps, 'row' | 'all'>;

function MainFields({ row: { item, below }, all, effective, disabled, onChange }: MainProps) {
  const t = useText();
  const isBase = item.is_base;
  const base = all.find((one) => one.is_base);
  const mayBeParent = all.filter((one) => one.id !== item.id && !below.some(({ id }) => id === one.id));
  const metric = targetMetrics.find((one) => one === effective['metric']) ?? 'accuracy';
  const type = requirementTypes.find((one) => one === effective['annotation_type']);
  const inherited = (value: string): string => t('requirements.inheritedValue', { value });
  return (
    <>
      <NameLine
        value={isBase ? requirementName(item, t) : item.name}
        disabled={disabled}
        onChange={(name) => onChange({ name })}
      />
      {!isBase && (
        <ChoiceLine
          label={t('requirements.parent')}
          choices={mayBeParent.map((one) => ({ value: String(one.id), label: requirementName(one, t) }))}
          own={String(item.parent_requirement ?? base?.id ?? '')}
          inherited={undefined}
          disabled={disabled}
          onChange={(id) => onChange({ parent_requirement: Number(id) })}
        />
      )}
      <ChoiceLine
        label={t('requirements.type')}
        choices={typeChoices(t)}
        own={requirementTypes.find((one) => one === item.annotation_type) ?? null}
        inherited={
          isBase
            ? t('requirements.allTypes')
            : inherited(type === undefined ? t('requirements.allTypes') : typeText(type, t))
        }
        disabled={disabled}
        onChange={(value) => onChange({ annotation_type: value ?? (isBase ? '' : null) })}
      />
      <ChoiceLine
        label={t('requirements.metric')}
        choices={metricChoices(t)}
        own={item.metric}
        inherited={isBase ? undefined : inherited(metricText(metric, t))}
        disabled={disabled}
        onChange={(value) => onChange({ metric: value })}
      />
      <NumberLine
        label={t('requirements.requiredScore')}
        own={item.required_score}
        inherited={numberIn(effective, 'required_score')}
        mayInherit={!isBase}
        disabled={disabled}
        onChange={(value) => onChange({ required_score: value })}
      />
    </>
  );
}

function Thresholds({ item, effective, disabled, onChange }: PartProps) {
  const t = useText();
  const own = [...numbers, ...switches, ['point_size_base'] as const].filter(([name]) => item[name] !== null).length;
  const [isOpen, setOpen] = useState(false);
  const mayInherit = !item.is_base;
  const pointBase = pointSizeBases.find((one) => one === effective['point_size_base']) ?? 'group_bbox_size';
  return (
    <div className={classes.part}>
      <Fold isOpen={isOpen} onChange={setOpen}>
        <span>{t('requirements.thresholds')}</span>
        <small>
          {mayInherit && (own === 0 ? t('requirements.allInherited') : t('requirements.ownCount', { count: own }))}
        </small>
      </Fold>
      {isOpen && (
        <>
          {numbers.map(([name, words]) => (
            <NumberLine
              key={name}
              label={t(`requirements.fields.${words}`)}
              own={item[name]}
              inherited={numberIn(effective, name)}
              mayInherit={mayInherit}
              disabled={disabled}
              onChange={(value) => onChange({ [name]: value })}
            />
          ))}
          <ChoiceLine
            label={t('requirements.fields.pointBase')}
            choices={pointSizeBases.map((value) => ({ value, label: t(`requirements.pointBases.${value}`) }))}
            own={pointSizeBases.find((one) => one === item.point_size_base) ?? null}
            inherited={
              mayInherit
                ? t('requirements.inheritedValue', { value: t(`requirements.pointBases.${pointBase}`) })
                : undefined
            }
            disabled={disabled}
            onChange={(value) => onChange({ point_size_base: value })}
          />
          {switches.map(([name, words]) => (
            <SwitchLine
              key={name}
              label={t(`requirements.fields.${words}`)}
              own={item[name]}
              inherited={effective[name] === true}
              mayInherit={mayInherit}
              disabled={disabled}
              onChange={(value) => onChange({ [name]: value })}
            />
          ))}
        </>
      )}
    </div>
  );
}

type AttributesProps = Omit<PartProps, 'effective'> & Pick<FormProps, 'labels'>;

function Attributes({ item, labels, disabled, onChange }: AttributesProps) {
  const t = useText();
  const { rules, default: usual } = item.attribute_comparison;
  const [isOpen, setOpen] = useState(false);
  const own = rules.length + (usual.enabled !== null || usual.comparator !== null ? 1 : 0);
  return (
    <div className={classes.part}>
      <Fold isOpen={isOpen} onChange={setOpen}>
        <span>{t('requirements.attributes')}</span>
        <small>
          {!item.is_base && (own === 0 ? t('requirements.allInherited') : t('requirements.ownCount', { count: own }))}
        </small>
      </Fold>
      {isOpen && (
        <AttributeRules
          comparison={item.attribute_comparison}
          labels={labels}
          mayInherit={!item.is_base}
          disabled={disabled}
          onChange={(comparison) => onChange({ attribute_comparison: comparison })}
        />
      )}
    </div>
  );
}
