import { useText } from '../../i18n/index.ts';
import { PolicySwitches } from '../../parts/webhooks/policy-switches.tsx';
import { Stack, Text, Title } from '../../ui/kit.ts';

/** What may leave this computer by itself. */
export function NetworkSection() {
  const t = useText();
  return (
    <section>
      <Title order={2} mb={4}>
        {t('network.title')}
      </Title>
      <Text fz="sm" c="dimmed" mb={20} maw={640}>
        {t('network.text')}
      </Text>
      <Stack gap={8} maw={640}>
        <Title order={3}>{t('webhookPolicy.title')}</Title>
        <PolicySwitches />
      </Stack>
    </section>
  );
}
