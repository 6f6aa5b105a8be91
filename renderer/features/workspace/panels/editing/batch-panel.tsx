import {
  IconArrowBarToDown,
  IconArrowBarToUp,
  IconBoxMultiple,
  IconSquaresDiagonal,
  IconTrash,
} from '@tabler/icons-react';
import { useState } from 'react';
import type { SceneRecord, ShapeRecord } from '../../../../canvas/types.ts';
import { useText } from '../../../../i18n/index.ts';
import { IconButton } from '../../../../ui/icon-button.tsx';
import { Checkbox, Group, Text, Select } from '../../../../ui/kit.ts';
import { ActionButton } from '../action-button.tsx';
import { keepFocus } from '../../commands/focus.ts';
import { LabelBox } from '../labels/label-box.tsx';
import { withAttribute } from '../../model/labels/label-rules.ts';
import { useAnnotate, useSession, useShortcuts, useWorkspace } from '../session-context.ts';
import classes from './editing.module.css';
import { OperationButtons } from './operation-buttons.tsx';
import { NumberField } from './number-panel.tsx';
import {
  isShape,
  labelsForAll,
  sharedAttributes,
  sharedOf,
  type SharedAttribute,
} from '../../model/editing/shared-values.ts';
import { AttributeField } from '../labels/attribute-field.tsx';

interface BatchAttributeProps {
  readonly shared: SharedAttribute;
  readonly onChange: (value: string) => void;
}

/** An attribute of several objects: the common value, or the values that occur. */
function BatchAttribute({ shared, onChange }: BatchAttributeProps) {
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

interface BatchPanelProps {
  /** At least two; the last one is the primary one. */
  readonly records: readonly SceneRecord[];
}

interface StateBoxProps {
  readonly label: string;
  readonly values: readonly boolean[];
  readonly disabled?: boolean;
  readonly onChange: (value: boolean) => void;
}

const StateBox = ({ label, values, disabled = false, onChange }: StateBoxProps) => {
  const all = values.every(Boolean);
  return (
    <Checkbox
      size="xs"
      label={label}
      disabled={disabled}
      checked={all}
      indeterminate={!all && values.some(Boolean)}
      onChange={() => onChange(!all)}
    />
  );
};

interface HeadProps {
  readonly count: number;
  readonly open: readonly SceneRecord[];
  readonly onDelete: () => void;
}

const Head = ({ count, open, onDelete }: HeadProps) => {
  const t = useText();
  const keyOf = useShortcuts();
  const buttons = [
    ['group', 'object.group', IconBoxMultiple, open.length > 1],
    ['ungroup', 'object.ungroup', IconSquaresDiagonal, open.some(({ group }) => group !== 0)],
    ['toFront', 'object.toFront', IconArrowBarToUp, open.some(isShape)],
    ['toBack', 'object.toBack', IconArrowBarToDown, open.some(isShape)],
  ] as const;
  return (
    <Group gap={2} wrap="nowrap" flex="none" h={36} onMouseDown={keepFocus}>
      <Text span fz="sm" fw={600} flex={1}>
        {t('editing.count', { count })}
      </Text>
      {buttons.map(([name, action, icon, enabled]) => (
        <ActionButton key={name} label={t(`editing.${name}`)} action={action} disabled={!enabled} icon={icon} />
      ))}
      <IconButton
        label={t('editing.delete')}
        shortcut={keyOf('edit.delete')}
        disabled={open.length === 0}
        icon={<IconTrash size={16} stroke={1.5} />}
        onClick={onDelete}
      />
    </Group>
  );
};

/** The palette toggles it too. */
const WholeGroups = () => {
  const t = useText();
  const { session, actions } = useWorkspace();
  const { selection } = session.engine;
  const [isOn, setIsOn] = useState(selection.wholeGroups());
  const change = (): void => {
    actions.run('edit.wholeGroups');
    setIsOn(selection.wholeGroups());
  };
  return <Checkbox size="xs" label={t('editing.selectWholeGroups')} checked={isOn} onChange={change} />;
};

const Notes = ({
  locked,
  open,
  misfit,
}: {
  readonly locked: number;
  readonly open: number;
  readonly misfit: boolean;
}) => {
  const t = useText();
  return (
    <>
      {locked > 0 && (
        <Text fz="xs" c="dimmed">
          {open === 0 ? t('editing.allLocked') : t('editing.locked', { count: locked })}
        </Text>
      )}
      {misfit && (
        <Text fz="xs" c="dimmed">
          {t('editing.noLabelForAll')}
        </Text>
      )}
    </>
  );
};

const States = ({ records, shapes }: BatchPanelProps & { readonly shapes: readonly ShapeRecord[] }) => {
  const t = useText();
  const { engine } = useSession();
  const ids = records.map(({ clientId }) => clientId);
  const ofShapes = shapes.map(({ clientId }) => clientId);
  return (
    <>
      <Group gap="8px 16px">
        {shapes.length > 0 && (
          <StateBox
            label={t('annotate.occluded')}
            values={shapes.map(({ occluded }) => occluded)}
            onChange={(occluded) => engine.update(ofShapes, { occluded }, 'state')}
          />
        )}
        <StateBox
          label={t('editing.hidden')}
          values={records.map(({ hidden }) => hidden)}
          onChange={(hidden) => engine.update(ids, { hidden }, 'display')}
        />
        <StateBox
          label={t('editing.lockedState')}
          values={records.map(({ locked }) => locked)}
          onChange={(locked) => engine.update(ids, { locked }, 'display')}
        />
      </Group>
      {shapes.length > 0 && (
        <NumberField
          label={t('editing.zOrder')}
          value={sharedOf(shapes.map(({ zOrder }) => zOrder)).value}
          placeholder={t('editing.mixed')}
          decimals={0}
          onChange={(zOrder) => engine.update(ofShapes, { zOrder }, 'order')}
        />
      )}
    </>
  );
};

/** Edits the common values of the selected objects. Each change is one undo step. */
export function BatchPanel({ records }: BatchPanelProps) {
  const t = useText();
  const { engine, drawing } = useSession();
  const labels = useAnnotate((state) => state.labels);
  const ids = records.map(({ clientId }) => clientId);
  const open = records.filter(({ locked }) => !locked);
  const fitting = open.length === 0 ? [] : labelsForAll(open, labels);
  const labelId = sharedOf(records.map((record) => record.labelId)).value;
  const setAttribute = (name: string, value: string): void =>
    void engine.update(
      open.map(({ clientId }) => clientId),
      (record) => withAttribute(record, { name, value }, labels),
      'attributes',
    );
  return (
    <section className={classes.panel} aria-label={t('editing.panel')} data-testid="batch">
      <Head count={records.length} open={open} onDelete={() => engine.remove(ids)} />
      <Notes
        locked={records.length - open.length}
        open={open.length}
        misfit={open.length > 0 && fitting.length === 0}
      />
      {fitting.length > 0 && (
        <LabelBox
          labels={fitting}
          value={labels.find(({ id }) => id === labelId)}
          name={t('annotate.objectLabel')}
          width="100%"
          onPick={(label) =>
            drawing.relabel(
              open.map(({ clientId }) => clientId),
              label.id,
            )
          }
        />
      )}
      <States records={records} shapes={open.filter(isShape)} />
      {open.some(({ group }) => group !== 0) && <WholeGroups />}
      <OperationButtons />
      {sharedAttributes(open, labels).map((shared) => (
        <BatchAttribute
          key={`${shared.attribute.name} ${ids.join()}`}
          shared={shared}
          onChange={(value) => setAttribute(shared.attribute.name, value)}
        />
      ))}
    </section>
  );
}
