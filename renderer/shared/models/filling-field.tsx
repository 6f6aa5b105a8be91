import { useText } from '../../i18n/index.ts';
import { Hint, PartName, SegmentedControl, Stack } from '../../ui/kit.ts';
import { fillings, type Filling } from './model-labels.ts';

/** Choice between tags and attributes of objects, for models that fill in either. */
export function FillingField({
  value,
  onChange,
}: {
  readonly value: Filling;
  readonly onChange: (value: Filling) => void;
}) {
  const t = useText();
  return (
    <Stack gap={4}>
      <PartName>{t('assist.fill')}</PartName>
      <SegmentedControl
        size="xs"
        fullWidth
        aria-label={t('assist.fill')}
        data={fillings.map((one) => ({ value: one, label: t(`assist.fillKind.${one}`) }))}
        value={value}
        onChange={onChange}
      />
      {value === 'objects' && <Hint>{t('assist.fillHint')}</Hint>}
    </Stack>
  );
}
