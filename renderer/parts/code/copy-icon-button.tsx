import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useText } from '../../i18n/index.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { CopyButton } from '../../ui/kit.ts';

/** Puts a text on the clipboard and says so. */
export function CopyIconButton({ value, label }: { readonly value: string; readonly label: string }) {
  const t = useText();
  return (
    <CopyButton value={value} timeout={1_500}>
      {({ copied, copy }) => (
        <IconButton
          label={copied ? t('common.copied') : label}
          size="sm"
          icon={copied ? <IconCheck size={15} /> : <IconCopy size={15} stroke={1.5} />}
          onClick={copy}
        />
      )}
    </CopyButton>
  );
}
