import { useState } from 'react';
import { useOrganizationContext } from '../../api/organization-context.ts';
import { useText } from '../../i18n/index.ts';
import { CodeBlock } from '../../shared/code/code-view.tsx';
import { Group, Hint, SegmentedControl, Stack } from '../../ui/kit.ts';
import { SectionHead } from '../../ui/section-head.tsx';
import { commandLines, type Shell, type Tool } from './command-lines.ts';

const ownShell = (): Shell => (navigator.userAgent.includes('Windows') ? 'windows' : 'unix');

/** Command lines with the real address, and with the token if it was just created. */
export function CommandPanel({ token }: { readonly token: string | null }) {
  const t = useText();
  const [tool, setTool] = useState<Tool>('cli');
  const [shell, setShell] = useState<Shell>(ownShell);
  const organization = useOrganizationContext((state) => state.slug) ?? '';
  const address = window.location.origin;
  const lines = commandLines(tool, shell, {
    address,
    organization,
    token: token ?? t('settings.api.tokenPlaceholder'),
  });
  const tools = (['cli', 'sdk', 'curl'] as const).map((value) => ({ value, label: t(`settings.api.${value}`) }));
  const shells = (['unix', 'windows'] as const).map((value) => ({ value, label: t(`settings.api.${value}`) }));
  return (
    <section>
      <SectionHead title={t('settings.api.commands')}>
        {t('settings.api.commandsText')}
        {token !== null && ` ${t('settings.api.commandsWithToken')}`}
      </SectionHead>
      <Group justify="space-between" mb={12}>
        <SegmentedControl
          aria-label={t('settings.api.tool')}
          data={tools}
          value={tool}
          // The values come from the list above, here and below.
          onChange={(value) => setTool(value as Tool)}
        />
        <SegmentedControl
          aria-label={t('settings.api.shell')}
          data={shells}
          value={shell}
          onChange={(value) => setShell(value as Shell)}
        />
      </Group>
      <Stack gap={12}>
        {lines.map(({ step, text }) => (
          <div key={step}>
            <Hint mb={4}>{t(`settings.api.${step}`)}</Hint>
            <CodeBlock
              text={text}
              label={t(`settings.api.${step}`)}
              copyLabel={`${t('common.copy')}: ${t(`settings.api.${step}`)}`}
            />
          </div>
        ))}
      </Stack>
    </section>
  );
}
