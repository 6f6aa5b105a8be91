import { useText } from '../../i18n/index.ts';
import { PolicySwitches } from '../../parts/webhooks/policy-switches.tsx';
import { Modal } from '../../ui/kit.ts';

/** Where webhooks may send, as the settings say it too. */
export function PolicyDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useText();
  return (
    <Modal opened onClose={onClose} title={t('webhookPolicy.title')}>
      <PolicySwitches />
    </Modal>
  );
}
