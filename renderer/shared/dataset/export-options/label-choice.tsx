import { IconArrowUp } from '@tabler/icons-react';
import type { DatasetExportOptions, ExportPreview } from '../../../../preload/contract/schema/export-options.ts';
import { useText } from '../../../i18n/index.ts';
import { formatNumber } from '../../../i18n/language.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Checkbox, TextInput } from '../../../ui/kit.ts';
import { FieldRow } from '../field-row.tsx';
import classes from './export-options.module.css';
import type { ExportOptionsState } from './use-export-options.ts';

type PresentLabel = ExportPreview['labels'][number];
interface Row extends PresentLabel {
  readonly as: string;
  readonly isWritten: boolean;
}

function rowsOf(present: readonly PresentLabel[], wanted: DatasetExportOptions['labels']): Row[] {
  if (!wanted) return present.map((label) => ({ ...label, as: label.name, isWritten: true }));
  const byName = new Map(present.map((label) => [label.name, label]));
  const chosen = wanted.flatMap(({ name, as = name }): Row[] => {
    const label = byName.get(name);
    byName.delete(name);
    return label ? [{ ...label, as, isWritten: true }] : [];
  });
  return [...chosen, ...[...byName.values()].map((label) => ({ ...label, as: label.name, isWritten: false }))];
}

/** Undefined if all labels are written unchanged. */
function statedLabels(rows: readonly Row[], present: readonly PresentLabel[]): DatasetExportOptions['labels'] {
  const written = rows.filter(({ isWritten }) => isWritten);
  const isAll = written.length === present.length;
  if (isAll && written.every(({ name, as }, index) => as === name && present[index]?.name === name)) return undefined;
  return written.map(({ name, as }) => (as === name || as.trim() === '' ? { name } : { name, as }));
}

export function LabelChoice({ arranging }: { readonly arranging: ExportOptionsState }) {
  const t = useText();
  const present = arranging.preview.data?.labels ?? [];
  const rows = rowsOf(present, arranging.exportOptions.labels);
  const set = (next: readonly Row[]): void => {
    if (next.some(({ isWritten }) => isWritten)) arranging.change({ labels: statedLabels(next, present) });
  };
  const change = (at: number, changes: Partial<Row>): void =>
    set(rows.map((row, index) => (index === at ? { ...row, ...changes } : row)));
  if (rows.length === 0) return null;
  return (
    <FieldRow label={t('arranging.labels')} note={t('arranging.labelsNote')}>
      <div className={classes.labels}>
        {rows.map(({ name, color, objects, as, isWritten }, index) => (
          <div key={name} className={classes.label}>
            <Checkbox
              size="xs"
              aria-label={t('arranging.writeLabel', { label: name })}
              checked={isWritten}
              onChange={(isOn) => change(index, { isWritten: isOn })}
            />
            <span className={classes.swatch} style={{ background: color }} />
            <span className={classes.name} title={name}>
              {name}
            </span>
            <TextInput
              size="xs"
              aria-label={t('arranging.labelAs', { label: name })}
              disabled={!isWritten}
              maxLength={64}
              value={as}
              onChange={(value) => change(index, { as: value })}
            />
            <span className={classes.count}>{formatNumber(objects)}</span>
            {index > 0 && isWritten ? (
              <IconButton
                size="sm"
                label={t('arranging.labelUp', { label: name })}
                icon={<IconArrowUp size={14} />}
                onClick={() => set(rows.toSpliced(index, 1).toSpliced(index - 1, 0, rows[index]!))}
              />
            ) : (
              <span />
            )}
          </div>
        ))}
      </div>
    </FieldRow>
  );
}
