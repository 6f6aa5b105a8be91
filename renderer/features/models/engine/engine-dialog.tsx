import { useState } from 'react';
import { call } from '../../../api/client.ts';
import { fieldErrors } from '../../../api/field-errors.ts';
import { useText } from '../../../i18n/index.ts';
import { useChange } from '../../../shared/use-change.ts';
import { FormDialog } from '../../../ui/form.tsx';
import { Dimmed, Textarea, TextInput } from '../../../ui/kit.ts';

const certificates = ['ca', 'cert', 'key'] as const;
const empty = { name: '', address: '', ca: '', cert: '', key: '' };

/** Adds the Engine of another computer by its address. */
export function EngineDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useText();
  const [form, setForm] = useState(empty);
  const change = (part: Partial<typeof empty>): void => setForm((before) => ({ ...before, ...part }));
  const isTls = /^(tcp|https):/.test(form.address.trim());
  const add = useChange(
    () => {
      const tls = Object.fromEntries(
        certificates.flatMap((key) => (form[key].trim() === '' ? [] : [[key, form[key]]])),
      );
      return call('addModelEngine', {
        body: { name: form.name.trim(), address: form.address.trim(), ...(isTls ? tls : {}) },
      });
    },
    { reloads: [['models', 'engines']], done: onClose },
  );
  const { of, rest } = fieldErrors(add.error, ['name', 'address', ...certificates]);
  return (
    <FormDialog
      title={t('engines.add')}
      size="lg"
      submit={t('engines.addSubmit')}
      change={add}
      onClose={onClose}
      isReady={form.name.trim() !== '' && form.address.trim() !== ''}
      error={rest}
    >
      <Dimmed>{t('engines.addText')}</Dimmed>
      <TextInput
        label={t('engines.name')}
        data-autofocus
        required
        spellCheck={false}
        value={form.name}
        onChange={(name) => change({ name })}
        error={of.name}
      />
      <TextInput
        label={t('engines.address')}
        placeholder="ssh://user@gpu-box.example.org"
        required
        spellCheck={false}
        value={form.address}
        onChange={(address) => change({ address })}
        error={of.address}
      />
      {isTls &&
        certificates.map((key) => (
          <Textarea
            key={key}
            label={t(`engines.${key}`)}
            rows={3}
            spellCheck={false}
            value={form[key]}
            onChange={(value) => change({ [key]: value })}
            error={of[key]}
          />
        ))}
    </FormDialog>
  );
}
