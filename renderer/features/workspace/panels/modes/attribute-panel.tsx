import { IconCheck, IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useRef, type MouseEvent } from 'react';
import type { Attribute } from '../../../../../preload/contract/schema/labels.ts';
import type { SceneRecord } from '../../../../canvas/types.ts';
import { useText } from '../../../../i18n/index.ts';
import { IconButton } from '../../../../ui/icon-button.tsx';
import { Button, Kbd, Text, UnstyledButton } from '../../../../ui/kit.ts';
import { keepFocus } from '../../commands/focus.ts';
import { AttributeField } from '../labels/attribute-field.tsx';
import { LabelDot } from '../labels/label-box.tsx';
import { useAnnotate, useSession, useShortcuts, useWorkspace } from '../session-context.ts';
import classes from './modes.module.css';
import { choicesOf, targetAt, valueOf, type Target } from '../../model/modes/attribute-order.ts';
import { useLabelColor, useTrack } from '../scene-hooks.ts';
import { useAttributes } from './use-modes.ts';

function useValueText() {
  const t = useText();
  return ({ input_type: type }: Pick<Attribute, 'input_type'>, value: string): string => {
    if (value === '') return t('desks.attributes.empty');
    return type === 'checkbox' ? t(value === 'true' ? 'desks.attributes.yes' : 'desks.attributes.no') : value;
  };
}

interface FieldProps {
  readonly record: SceneRecord;
  readonly attribute: Attribute;
}

/** Enter saves the text and moves on; blur saves it and stays. */
const TypedValue = ({ record, attribute }: FieldProps) => {
  const t = useText();
  const { attributes: controller } = useSession().modes;
  const entered = useRef(false);
  const keep = (value: string): void => {
    if (entered.current) controller.set(value);
    else controller.keep(value);
    entered.current = false;
  };
  return (
    <div
      data-input="attribute"
      onKeyDownCapture={({ key }) => {
        entered.current = key === 'Enter';
      }}
      onKeyDown={({ key, target }) => {
        if (key === 'Escape' && target instanceof HTMLElement) target.blur();
        if (entered.current) controller.confirm();
        entered.current = false;
      }}
    >
      <AttributeField
        attribute={attribute}
        value={valueOf(record, attribute)}
        disabled={record.locked}
        onChange={keep}
      />
      <div className={classes.about}>{t('desks.attributes.typeHint')}</div>
    </div>
  );
};

const leaveField = (event: MouseEvent): void => {
  const { activeElement } = document;
  if (activeElement instanceof HTMLInputElement && activeElement.closest("[data-input='attribute']") !== null)
    activeElement.blur();
  keepFocus(event);
};

const Current = ({ record, attribute }: FieldProps) => {
  const t = useText();
  const valueText = useValueText();
  const keyOf = useShortcuts();
  const { attributes: controller } = useSession().modes;
  const choices = choicesOf(attribute);
  const value = valueOf(record, attribute);
  return (
    <section className={classes.current} aria-label={attribute.name} data-testid="attribute-current">
      <Text component="h2" fz={13} fw={600} px={4} mb={4}>
        {attribute.name}
      </Text>
      {choices.length === 0 ? (
        <TypedValue key={`${record.clientId} ${attribute.id}`} record={record} attribute={attribute} />
      ) : (
        <div role="group" aria-label={t('desks.attributes.values', { name: attribute.name })} onMouseDown={keepFocus}>
          {choices.map((choice, index) => (
            <UnstyledButton
              key={choice}
              className={classes.value ?? ''}
              disabled={record.locked}
              aria-pressed={choice === value}
              onClick={() => controller.set(choice)}
            >
              <Kbd size="xs" className={classes.digit ?? ''}>
                {(index < 10 ? keyOf(`attributes.value${index + 1}`) : undefined) ?? ' '}
              </Kbd>
              <span className={classes.name}>{valueText(attribute, choice)}</span>
              {choice === value && <IconCheck size={14} className={classes.tick ?? ''} />}
            </UnstyledButton>
          ))}
        </div>
      )}
    </section>
  );
};

const Other = ({ record, attribute }: FieldProps) => {
  const valueText = useValueText();
  const { attributes: controller } = useSession().modes;
  const value = valueOf(record, attribute);
  return (
    <UnstyledButton
      className={classes.other ?? ''}
      onMouseDown={leaveField}
      onClick={() => controller.choose({ object: record.clientId, attribute: attribute.id })}
    >
      <span className={classes.name}>{attribute.name}</span>
      <span className={classes.answer} data-empty={value === '' || undefined}>
        {valueText(attribute, value)}
      </span>
    </UnstyledButton>
  );
};

/** Immutable attributes of a track are asked at its start. */
const HeldByTrack = ({ target: { record, label, attributes } }: { readonly target: Target }) => {
  const t = useText();
  const only = useAttributes((state) => state.only);
  const track = useTrack(record);
  const count = label.attributes.filter(({ name }) => only === null || name === only).length - attributes.length;
  return track === undefined || count === 0 ? null : (
    <p className={classes.note}>{t('desks.attributes.heldByTrack', { count, frame: track.frame })}</p>
  );
};

const Nothing = () => {
  const t = useText();
  const { attributes: controller } = useSession().modes;
  const hasAny = useAnnotate((state) => state.labels.some(({ attributes }) => attributes.length > 0));
  const nextFrame = useSession().modes.choices.get().nextFrame;
  return (
    <div className={classes.note}>
      <p>{t(hasAny ? 'desks.attributes.none' : 'desks.attributes.noneOfLabels')}</p>
      {hasAny && nextFrame && (
        <Button size="compact-sm" variant="default" onClick={() => controller.step(1)}>
          {t('desks.attributes.toNext')}
        </Button>
      )}
    </div>
  );
};

const Keys = () => {
  const t = useText();
  const keyOf = useShortcuts();
  const keys = [
    [[keyOf('attributes.previous'), keyOf('attributes.next')], 'attribute'],
    [[keyOf('attributes.nextObject')], 'object'],
    [[keyOf('attributes.reset')], 'reset'],
    [[keyOf('frame.next')], 'frame'],
  ] as const;
  return (
    <dl className={classes.keys}>
      {keys.map(([shown, name]) => (
        <div key={name}>
          <dt>
            {shown.map(
              (key) =>
                key !== undefined && (
                  <Kbd key={key} size="xs">
                    {key}
                  </Kbd>
                ),
            )}
          </dt>
          <dd>{t(`desks.attributes.keys.${name}`)}</dd>
        </div>
      ))}
    </dl>
  );
};

export function AttributePanel() {
  const t = useText();
  const { actions } = useWorkspace();
  const colorOf = useLabelColor();
  const keyOf = useShortcuts();
  const targets = useAttributes((state) => state.targets);
  const place = useAttributes((state) => state.place);
  const moving = useAttributes((state) => state.moving);
  const target = targetAt(targets, place);
  if (moving) {
    return (
      <p className={classes.note} role="status">
        {t('desks.attributes.moving')}
      </p>
    );
  }
  if (target === undefined) return <Nothing />;
  const { record, label, attributes } = target;
  return (
    <>
      <div className={classes.head} onMouseDown={leaveField}>
        <LabelDot color={colorOf(label)} />
        <span className={classes.name}>{label.name}</span>
        <span className={classes.space} />
        <span className={classes.about} data-testid="attribute-place">
          {t('desks.attributes.place', { now: targets.indexOf(target) + 1, all: targets.length })}
        </span>
        <IconButton
          label={t('desks.attributes.previousOne')}
          shortcut={keyOf('attributes.previousObject')}
          icon={<IconChevronLeft size={16} />}
          onClick={() => actions.run('attributes.previousObject')}
        />
        <IconButton
          label={t('desks.attributes.nextOne')}
          shortcut={keyOf('attributes.nextObject')}
          icon={<IconChevronRight size={16} />}
          onClick={() => actions.run('attributes.nextObject')}
        />
      </div>
      <div className={classes.all}>
        {record.locked && <p className={classes.note}>{t('desks.attributes.locked')}</p>}
        {attributes.map((attribute) =>
          attribute.id === place?.attribute ? (
            <Current key={attribute.id} record={record} attribute={attribute} />
          ) : (
            <Other key={attribute.id} record={record} attribute={attribute} />
          ),
        )}
        <HeldByTrack target={target} />
      </div>
      <Keys />
    </>
  );
}
