import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import { useText } from '../../../i18n/index.ts';
import { FormDialog } from '../../../ui/form.tsx';
import { SegmentedControl, TagsInput, Text } from '../../../ui/kit.ts';
import { notify } from '../../../ui/notify.ts';
import { Problem } from '../../../ui/page.tsx';

/** Makes a base image out of this computer's own interpreter. */
export function BaseImageDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useText();
  const client = useQueryClient();
  const [language, setLanguage] = useState<'python' | 'node'>('python');
  const [packages, setPackages] = useState<string[]>([]);
  const make = useMutation({
    mutationFn: () => call('makeBaseImage', { body: { language, packages: language === 'python' ? packages : [] } }),
    onSuccess: ({ image }) => {
      notify.success(t('modelEngine.madeBase', { image }));
      void client.invalidateQueries({ queryKey: ['models', 'images'] });
      onClose();
    },
  });
  return (
    <FormDialog
      title={t('modelEngine.makeBase')}
      submit={t('modelEngine.makeBase')}
      onSubmit={() => make.mutate()}
      onClose={onClose}
      isBusy={make.isPending}
    >
      <Text fz="sm" c="dimmed">
        {t('modelEngine.makeBaseText')}
      </Text>
      <SegmentedControl
        aria-label={t('modelEngine.makeBase')}
        value={language}
        onChange={(value) => setLanguage(value === 'node' ? 'node' : 'python')}
        data={[
          { value: 'python', label: t('modelEngine.makePython') },
          { value: 'node', label: t('modelEngine.makeNode') },
        ]}
      />
      {language === 'python' && (
        <TagsInput
          label={t('modelEngine.packages')}
          description={t('modelEngine.packagesHint')}
          value={packages}
          onChange={setPackages}
        />
      )}
      {make.isError && <Problem title={t('modelEngine.makeBaseFailed')} message={messageOf(make.error)} />}
    </FormDialog>
  );
}
