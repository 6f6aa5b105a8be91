import { IconChartBar, IconDownload } from '@tabler/icons-react';
import { useText } from '../../../i18n/index.ts';
import { QuietButton } from '../../../ui/kit.ts';

export function WorkButtons({ onOpen }: { readonly onOpen: (dialog: 'export' | 'statistics') => void }) {
  const t = useText();
  return (
    <>
      <QuietButton leftSection={<IconDownload size={16} />} onClick={() => onOpen('export')}>
        {t('annotate.export')}
      </QuietButton>
      <QuietButton leftSection={<IconChartBar size={16} />} onClick={() => onOpen('statistics')}>
        {t('statistics.title')}
      </QuietButton>
    </>
  );
}
