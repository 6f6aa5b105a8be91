import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { fieldErrors } from '../../api/field-errors.ts';
import { settingsQuery } from '../../api/settings-queries.ts';
import { useText } from '../../i18n/index.ts';
import { useChange } from '../../shared/use-change.ts';
import { Alert, Button, Group, SmallButton, Stack, TextInput } from '../../ui/kit.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { notify } from '../../ui/notify.ts';
import { SectionHead } from '../../ui/section-head.tsx';

export function UpdateSection() {
  const t = useText();
  const query = useQuery({ ...settingsQuery(), refetchOnMount: 'always' });
  return (
    <section>
      <SectionHead title={t('settings.about.updates')}>{t('settings.about.updatesText')}</SectionHead>
      <Loaded query={query}>{({ update_address: address }) => <Check key={address} known={address ?? ''} />}</Loaded>
    </section>
  );
}

function Check({ known }: { readonly known: string }) {
  const t = useText();
  const [address, setAddress] = useState(known);
  const change = useChange(
    (wanted: string) => call('changeSettings', { body: { update_address: wanted === '' ? null : wanted } }),
    { keeps: settingsQuery().queryKey, done: () => notify.success(t('settings.about.updateSaved')) },
  );
  const check = useChange(() => call('checkForUpdate', {}), { failed: t('settings.about.updateFailed') });
  const { of, rest } = fieldErrors(change.error, ['update_address']);
  const isUnsaved = address.trim() !== known;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        change.mutate(address.trim());
      }}
    >
      <Stack gap={12} maw={640}>
        <TextInput
          label={t('settings.about.updateAddress')}
          description={t('settings.about.updateAddressHint')}
          value={address}
          onChange={setAddress}
          error={of.update_address}
        />
        {rest !== '' && <Alert color="red">{rest}</Alert>}
        <Group gap={8}>
          <Button type="submit" size="xs" loading={change.isPending} disabled={!isUnsaved}>
            {t('settings.about.updateSave')}
          </Button>
          <SmallButton disabled={isUnsaved || known === ''} loading={check.isPending} onClick={() => check.mutate()}>
            {t('settings.about.updateCheck')}
          </SmallButton>
        </Group>
        {check.data !== undefined && (
          <Alert role="status" color={check.data.is_newer ? 'blue' : 'green'}>
            {check.data.is_newer ? (
              <>
                {t('settings.about.updateNewer', { latest: check.data.latest })}{' '}
                <a href={check.data.page} target="_blank" rel="noreferrer">
                  {t('settings.about.updatePage')}
                </a>
              </>
            ) : (
              t('settings.about.updateNone')
            )}
          </Alert>
        )}
      </Stack>
    </form>
  );
}
