import { useText } from '../../i18n/index.ts';
import { PolicySwitches } from '../../shared/webhook-policy.tsx';
import { Stack, Title } from '../../ui/kit.ts';
import { SectionHead } from '../../ui/section-head.tsx';

export function NetworkSection() {
  const t = useText();
  return (
    <section>
      <SectionHead title={t('network.title')}>{t('network.text')}</SectionHead>
      <Stack gap={8} maw={640}>
        <Title order={3}>{t('webhookPolicy.title')}</Title>
        <PolicySwitches />
      </Stack>
    </section>
  );
}
