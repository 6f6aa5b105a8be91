import { IconCheck } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { chooseOrganization, useOrganizationContext } from '../../api/organization-context.ts';
import { useText } from '../../i18n/index.ts';
import { Button } from '../../ui/kit.ts';

/** Makes an organization the active one, or returns to the personal workspace. */
export function ContextButton({ slug, small = false }: { readonly slug: string; readonly small?: boolean }) {
  const t = useText();
  const client = useQueryClient();
  const isChosen = useOrganizationContext((state) => state.slug) === slug;
  const choose = (): void => {
    chooseOrganization(isChosen ? '' : slug);
    void client.invalidateQueries();
  };
  return (
    <Button
      variant="default"
      size={small ? 'compact-sm' : 'sm'}
      leftSection={isChosen ? <IconCheck size={14} /> : undefined}
      title={isChosen ? t('organizations.workPersonal') : undefined}
      onClick={choose}
    >
      {t(isChosen ? 'organizations.workingHere' : 'organizations.workHere')}
    </Button>
  );
}
