import type { ReactNode } from 'react';
import type { Label } from '../../../../../preload/contract/schema/labels.ts';
import type { SceneRecord } from '../../../../canvas/types.ts';
import { useText } from '../../../../i18n/index.ts';
import { formatNumber } from '../../../../i18n/language.ts';
import { Fold } from '../../../../ui/fold.tsx';
import { Checkbox, Group, SimpleGrid, Stack, Text, useLocalStorage } from '../../../../ui/kit.ts';
import { keepFocus } from '../../commands/focus.ts';
import { LabelBox } from '../labels/label-box.tsx';
import { labelSuitsRecord, withAttribute } from '../../model/labels/label-rules.ts';
import { useAnnotate, useSession } from '../session-context.ts';
import { TrackControls } from '../tracks/track-controls.tsx';
import { NumberPanel } from '../editing/number-panel.tsx';
import { AttributeField } from '../labels/attribute-field.tsx';
import { OperationButtons } from '../editing/operation-buttons.tsx';
import { sizeText } from '../shape-size.ts';
import { PointList } from './point-list.tsx';
import { useSelection, useTrack } from '../scene-hooks.ts';

interface CardPartProps {
  readonly name: 'attributes' | 'geometry';
  readonly summary: string;
  /** Initial state; the user's choice is saved. */
  readonly folded?: boolean;
  readonly children: ReactNode;
}

/** Collapsible part of the card. The state applies to all objects. */
function CardPart({ name, summary, folded = false, children }: CardPartProps) {
  const t = useText();
  const [isOpen, setOpen] = useLocalStorage({
    key: `limner.card.${name}`,
    defaultValue: !folded,
    getInitialValueInEffect: false,
  });
  return (
    <Stack gap={6}>
      <Group gap={8} fz={12} onMouseDown={keepFocus}>
        <Fold isOpen={isOpen} onChange={setOpen}>
          {t(`annotate.card.${name}`)}
        </Fold>
        <Text span fz={12} c="dimmed">
          {summary}
        </Text>
      </Group>
      {isOpen && children}
    </Stack>
  );
}

/** Label, state and attributes of the selected object. With several selected, changes apply to all. */
export function ObjectCard({ record, label }: { readonly record: SceneRecord; readonly label: Label | undefined }) {
  const t = useText();
  const { engine, drawing } = useSession();
  const labels = useAnnotate((state) => state.labels);
  const selection = useSelection();
  const track = useTrack(record);
  const { clientId: id, locked } = record;
  const targets = selection.includes(id) ? selection : [id];
  const attributes = label?.attributes ?? [];
  const create = (name: string): void => {
    void drawing.labelNamed(name).then((made) => made !== null && drawing.relabel(targets, made.id));
  };
  const setValue = (name: string, value: string): void => {
    engine.update(targets, (target) => withAttribute(target, { name, value }, labels), 'attributes');
  };
  return (
    <Stack gap={8} px={8} pb={12}>
      {!locked && (
        <LabelBox
          labels={labels.filter((item) => labelSuitsRecord(item, record, labels))}
          value={label}
          name={t('annotate.objectLabel')}
          width="100%"
          onPick={(next) => drawing.relabel(targets, next.id)}
          onCreate={create}
        />
      )}
      {record.kind === 'shape' && track !== undefined && <TrackControls record={record} track={track} />}
      {record.kind === 'shape' && (
        <Checkbox
          size="xs"
          label={t('annotate.occluded')}
          disabled={locked}
          checked={record.occluded}
          onChange={(isOn) => engine.update(targets, { occluded: isOn }, 'state')}
        />
      )}
      {record.kind === 'shape' && record.elements !== undefined && <PointList shape={record} label={label} />}
      {attributes.length > 0 && (
        <CardPart name="attributes" summary={formatNumber(attributes.length)}>
          <SimpleGrid cols={attributes.length > 1 ? 2 : 1} spacing={8} verticalSpacing={4}>
            {attributes.map((attribute) => (
              <AttributeField
                key={attribute.id}
                attribute={attribute}
                disabled={locked}
                value={
                  record.attributes.find((item) => item.spec_id === attribute.id)?.value ?? attribute.default_value
                }
                onChange={(value) => setValue(attribute.name, value)}
              />
            ))}
          </SimpleGrid>
        </CardPart>
      )}
      {record.kind === 'shape' && record.type !== 'skeleton' && (
        <CardPart name="geometry" summary={sizeText(record, t)} folded>
          <NumberPanel key={id} shape={record} />
          <OperationButtons />
        </CardPart>
      )}
    </Stack>
  );
}
