import { IconEye, IconLogout2, IconShadow, type Icon } from '@tabler/icons-react';
import { useEffect, useRef, type CSSProperties } from 'react';
import { attributeTakes } from '../../../../../preload/contract/label-fit.ts';
import type { Label } from '../../../../../preload/contract/schema/labels.ts';
import { pointPatch, pointStateOf, pointStates, type PointState } from '../../../../canvas/shapes/point-states.ts';
import type { ElementRecord, ShapeRecord } from '../../../../canvas/types.ts';
import { useText } from '../../../../i18n/index.ts';
import { Kbd, SimpleGrid, UnstyledButton } from '../../../../ui/kit.ts';
import { keepFocus } from '../../commands/focus.ts';
import { AttributeField } from '../labels/attribute-field.tsx';
import { useSession, useShortcuts } from '../session-context.ts';
import classes from './point-list.module.css';
import { useChosenPoint } from '../scene-hooks.ts';

const stateIcons: Readonly<Record<PointState, Icon>> = {
  visible: IconEye,
  occluded: IconShadow,
  outside: IconLogout2,
};

interface PointListProps {
  readonly shape: ShapeRecord;
  readonly label: Label | undefined;
}

interface PointRowProps {
  readonly shape: ShapeRecord;
  readonly index: number;
  readonly element: ElementRecord;
  readonly name: string;
  readonly color: string | undefined;
  readonly isChosen: boolean;
}

function PointRow({ shape, index, element, name, color, isChosen }: PointRowProps) {
  const t = useText();
  const { engine } = useSession();
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isChosen) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isChosen]);
  const choose = (): void => {
    if (engine.getTool().id !== 'select') engine.setTool('select');
    engine.keyPoint()?.choose(index);
  };
  const now = pointStateOf(element);
  const locked = shape.locked ? t('annotate.objectMenu.locked') : undefined;
  return (
    <li
      ref={row}
      className={classes.row}
      data-chosen={isChosen || undefined}
      data-state={now}
      style={{ '--point-color': color ?? 'currentColor' } as CSSProperties}
    >
      <UnstyledButton className={classes.name} fz={13} aria-pressed={isChosen} disabled={shape.locked} onClick={choose}>
        <span className={classes.number} aria-hidden>
          {index + 1}
        </span>
        <span className={classes.mark} />
        <span className={classes.text} title={name}>
          {name}
        </span>
      </UnstyledButton>
      {pointStates.map((state) => {
        const StateIcon = stateIcons[state];
        const title = `${name}: ${t(`annotate.point.${state}`)}`;
        return (
          <button
            key={state}
            type="button"
            // Keys set the state of the selected point.
            tabIndex={-1}
            className={classes.state}
            title={locked ?? title}
            aria-label={title}
            aria-pressed={state === now}
            disabled={shape.locked}
            onClick={() => {
              choose();
              if (state !== now) engine.update([shape.clientId], pointPatch(shape, index, state), 'state');
            }}
          >
            <StateIcon size={15} stroke={1.5} />
          </button>
        );
      })}
    </li>
  );
}

function PointAttributes({ shape, label, index }: PointListProps & { readonly index: number }) {
  const { engine } = useSession();
  const element = shape.elements?.[index];
  const attributes = label?.sublabels.find(({ id }) => id === element?.labelId)?.attributes ?? [];
  if (element === undefined || attributes.length === 0) return null;
  const setValue = (spec_id: number, value: string): void => {
    const elements = (shape.elements ?? []).map((one, at) =>
      at === index
        ? { ...one, attributes: [...one.attributes.filter((item) => item.spec_id !== spec_id), { spec_id, value }] }
        : one,
    );
    engine.update([shape.clientId], { elements }, 'attributes');
  };
  return (
    <SimpleGrid cols={attributes.length > 1 ? 2 : 1} spacing={8} verticalSpacing={4}>
      {attributes.map((attribute) => (
        <AttributeField
          key={`${index} ${attribute.id}`}
          attribute={attribute}
          disabled={shape.locked}
          value={element.attributes.find(({ spec_id }) => spec_id === attribute.id)?.value ?? attribute.default_value}
          onChange={(value) => attributeTakes(attribute, value) && setValue(attribute.id, value)}
        />
      ))}
    </SimpleGrid>
  );
}

export function PointList({ shape, label }: PointListProps) {
  const t = useText();
  const keyOf = useShortcuts();
  const chosen = useChosenPoint();
  const points = new Map(label?.sublabels.map((point) => [point.id, point]));
  return (
    <div data-testid="points" onMouseDown={keepFocus}>
      <div className={classes.head}>
        <span className={classes.title}>{t('annotate.point.title')}</span>
        {pointStates.map((state) => (
          <span key={state} className={classes.key} title={t(`annotate.point.${state}`)}>
            <Kbd size="xs">{keyOf(`object.${state}`) ?? '–'}</Kbd>
          </span>
        ))}
      </div>
      <ul className={classes.list} aria-label={t('annotate.point.title')}>
        {(shape.elements ?? []).map((element, index) => {
          const point = points.get(element.labelId);
          return (
            <PointRow
              key={element.clientId}
              shape={shape}
              index={index}
              element={element}
              name={point?.name ?? '?'}
              color={point?.color}
              isChosen={index === chosen}
            />
          );
        })}
      </ul>
      {chosen !== null && <PointAttributes shape={shape} label={label} index={chosen} />}
    </div>
  );
}
