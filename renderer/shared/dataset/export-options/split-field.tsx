import type {
  DatasetExportOptions,
  ExportPreview,
  TogetherChoice,
} from '../../../../preload/contract/schema/export-options.ts';
import { useText } from '../../../i18n/index.ts';
import { formatNumber } from '../../../i18n/language.ts';
import { Group, Hint, NumberInput, TextInput, ChoiceField } from '../../../ui/kit.ts';
import { FieldRow } from '../field-row.tsx';
import type { ExportOptionsState } from './use-export-options.ts';
import classes from './export-options.module.css';

type Split = NonNullable<DatasetExportOptions['split']>;

const usual: Split = {
  parts: [
    { name: 'train', share: 70 },
    { name: 'val', share: 20 },
    { name: 'test', share: 10 },
  ],
  seed: 0,
};
const fills = [classes.first, classes.second, classes.third];

interface SplitBarProps {
  readonly subsets: ExportPreview['subsets'];
}

const SplitBar = ({ subsets }: SplitBarProps) => (
  <div className={classes.bar}>
    {subsets.map(({ name, frames }, index) => (
      <span
        key={name}
        className={`${classes.part} ${fills[index % fills.length] ?? ''}`}
        style={{ flexGrow: frames }}
        title={`${name} ${formatNumber(frames)}`}
      >
        {name} {formatNumber(frames)}
      </span>
    ))}
  </div>
);

export function SplitField({
  arranging,
  isProject,
}: {
  readonly arranging: ExportOptionsState;
  readonly isProject: boolean;
}) {
  const t = useText();
  const { exportOptions, change, preview } = arranging;
  const { split } = exportOptions;
  const set = (changes: Partial<Split>) => split && change({ split: { ...split, ...changes } });
  const way = split === undefined ? 'none' : split.stratified === true ? 'even' : 'random';
  const together: { value: TogetherChoice; label: string }[] = [
    { value: 'frame', label: t('arranging.togetherFrame') },
    { value: 'folder', label: t('arranging.togetherFolder') },
    { value: 'job', label: t('arranging.togetherJob') },
    ...(isProject ? [{ value: 'task' as const, label: t('arranging.togetherTask') }] : []),
    { value: 'name', label: t('arranging.togetherName') },
  ];
  return (
    <FieldRow label={t('arranging.split')}>
      <ChoiceField
        aria-label={t('arranging.split')}
        size="xs"
        value={way}
        data={[
          { value: 'none', label: t('arranging.splitNone') },
          { value: 'random', label: t('arranging.splitRandom') },
          { value: 'even', label: t('arranging.splitEven') },
        ]}
        onChange={(value) => {
          if (value === 'none') return change({ split: undefined });
          const { stratified: _stratified, ...rest } = split ?? usual;
          return change({ split: value === 'even' ? { ...rest, stratified: true } : rest });
        }}
      />
      {(preview.data?.subsets.length ?? 0) > 1 && <SplitBar subsets={preview.data?.subsets ?? []} />}
      {split && (
        <>
          <Group gap="xs" grow>
            {split.parts.map(({ name, share }, index) => (
              <NumberInput
                key={name}
                size="xs"
                aria-label={t('arranging.share', { part: name })}
                prefix={`${name} `}
                suffix=" %"
                min={1}
                max={100}
                value={share}
                onChange={(value) => {
                  if (typeof value !== 'number' || value <= 0) return;
                  set({ parts: split.parts.map((part, at) => (at === index ? { ...part, share: value } : part)) });
                }}
              />
            ))}
            <NumberInput
              size="xs"
              aria-label={t('arranging.seed')}
              prefix={`${t('arranging.seed')} `}
              min={0}
              max={4_294_967_295}
              allowDecimal={false}
              value={split.seed ?? 0}
              onChange={(value) => typeof value === 'number' && set({ seed: value })}
            />
          </Group>
          <ChoiceField
            aria-label={t('arranging.together')}
            size="xs"
            data={together}
            value={split.keep_together ?? 'frame'}
            onChange={(value) => {
              const found = together.find((choice) => choice.value === value);
              if (found)
                set({ keep_together: found.value, ...(found.value === 'name' ? { name_pattern: '^(.*?)[_-]' } : {}) });
            }}
          />
          {split.keep_together === 'name' && (
            <>
              <TextInput
                aria-label={t('arranging.pattern')}
                size="xs"
                ff="monospace"
                value={split.name_pattern ?? ''}
                onChange={(value) => set({ name_pattern: value })}
              />
              <Hint>{t('arranging.pattern')}</Hint>
            </>
          )}
        </>
      )}
    </FieldRow>
  );
}
