import {
  type ArrangedKind,
  arrangedKinds,
  arrangedTargets,
} from '../../../../preload/contract/schema/export-options.ts';
import { useText } from '../../../i18n/index.ts';
import { formatNumber } from '../../../i18n/language.ts';
import { NumberInput, ChoiceField } from '../../../ui/kit.ts';
import { FieldRow } from '../field-row.tsx';
import classes from './export-options.module.css';
import type { ExportOptionsState } from './use-export-options.ts';

const isArranged = (kind: string): kind is ArrangedKind => arrangedKinds.some((known) => known === kind);

/** Conversion of each present object kind, unsupported ones first; and the minimum size. */
export function KindFields({ arranging }: { readonly arranging: ExportOptionsState }) {
  const t = useText();
  const { exportOptions, change, preview } = arranging;
  const { shapes = {}, minimum_area: minimumArea } = exportOptions;
  const kinds = (preview.data?.kinds ?? []).toSorted((a, b) => Number(a.fits !== false) - Number(b.fits !== false));
  const set = (kind: ArrangedKind, value: string | null): void => {
    const target = arrangedTargets.find((known) => known === value);
    const { [kind]: _before, ...others } = shapes;
    const next = target === undefined ? others : { ...others, [kind]: target };
    change({ shapes: Object.keys(next).length === 0 ? undefined : next });
  };
  return (
    <>
      {kinds.length > 0 && (
        <FieldRow label={t('arranging.kinds')}>
          {kinds.map(({ kind, objects, fits }) => {
            if (!isArranged(kind)) return null;
            const label = `${formatNumber(objects)} × ${t(`arranging.kindNames.${kind}`)}`;
            const outlines = [
              { value: 'rectangle', label: t('arranging.kindBox') },
              { value: 'polygon', label: t('arranging.kindPolygon') },
              { value: 'mask', label: t('arranging.kindMask') },
            ].filter(({ value }) => value !== kind);
            return (
              <div key={kind} className={classes.kind}>
                <span className={classes.name} title={label}>
                  {label}
                </span>
                <ChoiceField
                  size="xs"
                  aria-label={t('arranging.kindBecomes', { kind: t(`arranging.kindNames.${kind}`) })}
                  value={shapes[kind] ?? 'as they are'}
                  data={[
                    { value: 'as they are', label: t(fits === false ? 'arranging.kindLacks' : 'arranging.kindStays') },
                    ...(kind === 'tag' ? [] : outlines),
                    { value: 'leave_out', label: t('arranging.kindOut') },
                  ]}
                  onChange={(value) => set(kind, value)}
                />
              </div>
            );
          })}
        </FieldRow>
      )}
      <FieldRow label={t('arranging.minimumArea')} note={t('arranging.minimumAreaNote')}>
        <NumberInput
          size="xs"
          maw={160}
          min={0}
          aria-label={t('arranging.minimumArea')}
          value={minimumArea ?? ''}
          onChange={(value) => change({ minimum_area: typeof value === 'number' && value > 0 ? value : undefined })}
        />
      </FieldRow>
    </>
  );
}
