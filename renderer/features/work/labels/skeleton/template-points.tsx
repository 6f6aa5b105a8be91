import {
  IconArrowDown,
  IconArrowUp,
  IconChevronDown,
  IconChevronRight,
  IconPlus,
  IconTrash,
} from '@tabler/icons-react';
import { memo, useEffect, useRef } from 'react';
import { labelPalette } from '../../../../../preload/contract/colors.ts';
import { useText } from '../../../../i18n/index.ts';
import { IconButton } from '../../../../ui/icon-button.tsx';
import { Button, ColorInput, Hint, Stack, TextInput } from '../../../../ui/kit.ts';
import { AttributeRow } from '../attribute-row.tsx';
import { newAttributeDraft, type AttributeDraft } from '../label-draft.ts';
import type { TemplatePoint } from './template.ts';
import classes from './template-editor.module.css';

export interface PointEdits {
  readonly choose: (key: string) => void;
  /** `kind`: consecutive changes of one kind are undone together. */
  readonly change: (key: string, change: Partial<Omit<TemplatePoint, 'key'>>, kind?: string) => void;
  readonly shift: (key: string, by: -1 | 1) => void;
  readonly remove: (key: string) => void;
}

interface PointRowProps {
  readonly point: TemplatePoint;
  readonly number: number;
  readonly isChosen: boolean;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly isFixed: boolean;
  readonly edits: PointEdits;
}

const Details = ({ point, edits }: Pick<PointRowProps, 'point' | 'edits'>) => {
  const t = useText();
  const { key, name, color, attributes } = point;
  const setAttributes = (next: readonly AttributeDraft[], kind?: string): void =>
    edits.change(key, { attributes: next }, kind);
  return (
    <Stack gap={8} className={classes.details ?? ''}>
      <ColorInput
        size="xs"
        w={136}
        aria-label={t('skeleton.pointColor', { name })}
        eyeDropperButtonProps={{ 'aria-label': t('labels.pickColor') }}
        format="hex"
        swatches={[...labelPalette]}
        swatchesPerRow={10}
        value={color}
        onChange={(next) => edits.change(key, { color: next }, `color ${key}`)}
      />
      {attributes.map((attribute) => (
        <AttributeRow
          key={attribute.key}
          attribute={attribute}
          isNarrow
          onChange={(next) =>
            setAttributes(
              attributes.map((one) => (one.key === next.key ? next : one)),
              `attribute ${next.key}`,
            )
          }
          onRemove={() => setAttributes(attributes.filter((one) => one.key !== attribute.key))}
        />
      ))}
      <Button
        variant="subtle"
        size="compact-xs"
        w="fit-content"
        leftSection={<IconPlus size={14} />}
        onClick={() => setAttributes([...attributes, newAttributeDraft()])}
      >
        {t('labels.addAttribute')}
      </Button>
    </Stack>
  );
};

export const PointRow = memo((props: PointRowProps) => {
  const { point, number, isChosen, isFirst, isLast, isFixed, edits } = props;
  const t = useText();
  const { key, name, color, attributes } = point;
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isChosen) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isChosen]);
  return (
    <div ref={row} role="listitem" className={classes.point} data-chosen={isChosen || undefined}>
      <div className={classes.pointLine}>
        <IconButton
          size="sm"
          label={t('skeleton.details', { name })}
          pressed={isChosen}
          icon={isChosen ? <IconChevronDown size={14} /> : <IconChevronRight size={14} />}
          onClick={() => edits.choose(key)}
        />
        <span className={classes.number}>{number}</span>
        <span className={classes.dot} style={{ background: color }} />
        <TextInput
          size="xs"
          variant="unstyled"
          flex={1}
          aria-label={t('skeleton.pointName', { number })}
          maxLength={64}
          value={name}
          onFocus={() => edits.choose(key)}
          onChange={(value) => edits.change(key, { name: value }, `name ${key}`)}
        />
        {attributes.length > 0 && !isChosen && <Hint>{t('labels.attributes', { count: attributes.length })}</Hint>}
        {isChosen && !isFixed && (
          <>
            <IconButton
              size="sm"
              label={t('skeleton.up', { name })}
              disabled={isFirst}
              icon={<IconArrowUp size={14} />}
              onClick={() => edits.shift(key, -1)}
            />
            <IconButton
              size="sm"
              label={t('skeleton.down', { name })}
              disabled={isLast}
              icon={<IconArrowDown size={14} />}
              onClick={() => edits.shift(key, 1)}
            />
            <IconButton
              size="sm"
              label={t('skeleton.remove', { name })}
              icon={<IconTrash size={14} stroke={1.5} />}
              onClick={() => edits.remove(key)}
            />
          </>
        )}
      </div>
      {isChosen && <Details point={point} edits={edits} />}
    </div>
  );
});
PointRow.displayName = 'PointRow';
