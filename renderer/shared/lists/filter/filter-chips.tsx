import { IconPlus, IconX } from '@tabler/icons-react';
import { useText } from '../../../i18n/index.ts';
import classes from '../lists.module.css';
import { conditionsOf, filterText } from './list-filter.ts';
import { conditionText, type useListWords } from './list-words.ts';

interface FilterChipsProps {
  readonly filter: string | undefined;
  readonly words: ReturnType<typeof useListWords>;
  readonly onChange: (filter: string | undefined) => void;
  readonly onEdit: () => void;
  readonly onAdd: () => void;
}

interface ChipProps {
  readonly about: string;
  readonly rest: string;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
}

const Chip = ({ about, rest, onEdit, onRemove }: ChipProps) => {
  const t = useText();
  const condition = `${about} ${rest}`.trim();
  return (
    <li className={classes.chip} title={condition}>
      <button type="button" aria-label={t('lists.filter.edit', { condition })} onClick={onEdit}>
        <span className={classes.about}>{about}</span> {rest}
      </button>
      <button type="button" aria-label={t('lists.filter.remove', { condition })} onClick={onRemove}>
        <IconX size={13} />
      </button>
    </li>
  );
};

/** Conditions of the list as sentences that can be edited or removed. */
export function FilterChips({ filter, words, onChange, onEdit, onAdd }: FilterChipsProps) {
  const t = useText();
  const group = conditionsOf(filter, words.fields);
  const gone = (index: number): void => {
    if (group !== null) onChange(filterText({ ...group, of: group.of.filter((_, at) => at !== index) }));
  };
  const isOne = group !== null && group.join !== 'all';
  return (
    <ul className={classes.chips} aria-label={t('lists.filter.chips')}>
      {group === null && (
        <Chip about={t('lists.filter.json')} rest="" onEdit={onEdit} onRemove={() => onChange(undefined)} />
      )}
      {/* Alternative conditions form a single chip. */}
      {isOne && <Chip {...conditionText(group, words, t)} onEdit={onEdit} onRemove={() => onChange(undefined)} />}
      {group !== null &&
        !isOne &&
        group.of.map((condition, index) => (
          <Chip
            // oxlint-disable-next-line react/no-array-index-key -- conditions have nothing else that tells them apart
            key={index}
            {...conditionText(condition, words, t)}
            onEdit={onEdit}
            onRemove={() => gone(index)}
          />
        ))}
      {group !== null && (
        <li>
          <button type="button" className={classes.add} onClick={onAdd}>
            <IconPlus size={13} />
            {t('lists.filter.add')}
          </button>
        </li>
      )}
    </ul>
  );
}
