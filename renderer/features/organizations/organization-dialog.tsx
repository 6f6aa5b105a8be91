import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Organization } from '../../../preload/contract/schema/people.ts';
import { call } from '../../api/client.ts';
import { fieldErrors } from '../../api/field-errors.ts';
import { chooseOrganization, organizationContext } from '../../api/organization-context.ts';
import { peopleQueries } from '../../api/people-queries.ts';
import { useText } from '../../i18n/index.ts';
import { FormDialog } from '../../ui/form.tsx';
import { SimpleGrid, TextInput, Textarea } from '../../ui/kit.ts';
import { slugOf } from './organization-name.ts';

const contactFields = ['email', 'phoneNumber', 'location'] as const;
type ContactField = (typeof contactFields)[number];

interface Values extends Record<ContactField, string> {
  readonly slug: string;
  readonly name: string;
  readonly description: string;
}

const valuesOf = (organization: Organization | null): Values => {
  const text = (field: ContactField): string => {
    const value = organization?.contact[field];
    return typeof value === 'string' ? value : '';
  };
  return {
    slug: organization?.slug ?? '',
    name: organization?.name ?? '',
    description: organization?.description ?? '',
    email: text('email'),
    phoneNumber: text('phoneNumber'),
    location: text('location'),
  };
};

/** Preserves unknown members of the contact and drops empty fields. */
const bodyOf = (values: Values, organization: Organization | null) => {
  const others = Object.entries(organization?.contact ?? {}).filter(
    ([key]) => !contactFields.some((one) => one === key),
  );
  const own = contactFields.map((field) => [field, values[field].trim()]).filter(([, value]) => value !== '');
  return {
    slug: values.slug.trim(),
    name: values.name.trim(),
    description: values.description,
    contact: Object.fromEntries([...others, ...own]),
  };
};

interface OrganizationDialogProps {
  /** Null creates one. */
  readonly organization: Organization | null;
  readonly onClose: () => void;
  readonly onSaved: (organization: Organization) => void;
}

export function OrganizationDialog({ organization, onClose, onSaved }: OrganizationDialogProps) {
  const t = useText();
  const client = useQueryClient();
  const [values, setValues] = useState(() => valuesOf(organization));
  const [slugTyped, setSlugTyped] = useState(organization !== null);
  const save = useMutation({
    mutationFn: () => {
      const body = bodyOf(values, organization);
      return organization === null
        ? call('createOrganization', { body, organization: null })
        : call('updateOrganization', { params: { id: organization.id }, body, organization: null });
    },
    onSuccess: (saved) => {
      // Updates the list first, because the frame resets a context that the list lacks.
      client.setQueryData(peopleQueries.organizations().queryKey, (before) =>
        before === undefined
          ? before
          : { ...before, results: before.results.map((one) => (one.id === saved.id ? saved : one)) },
      );
      if (organization !== null && organizationContext() === organization.slug) chooseOrganization(saved.slug);
      void client.invalidateQueries({ queryKey: ['organizations'] });
      onSaved(saved);
    },
  });
  const { of, rest } = fieldErrors(save.error, ['slug', 'name', 'description']);
  const change = (part: Partial<Values>): void => setValues((before) => ({ ...before, ...part }));
  const rename = (name: string): void => change({ name, ...(slugTyped ? {} : { slug: slugOf(name) }) });
  return (
    <FormDialog
      size="lg"
      title={t(organization === null ? 'organizations.new' : 'organizations.edit')}
      submit={t(organization === null ? 'common.create' : 'common.save')}
      change={save}
      onClose={onClose}
      isReady={values.slug.trim() !== ''}
      error={rest}
    >
      <TextInput
        label={t('organizations.name')}
        placeholder={t('organizations.namePlaceholder')}
        data-autofocus
        maxLength={64}
        value={values.name}
        onChange={rename}
        error={of.name}
      />
      <TextInput
        label={t('organizations.slug')}
        description={t('organizations.slugHint')}
        required
        maxLength={16}
        value={values.slug}
        onChange={(value) => {
          setSlugTyped(true);
          change({ slug: value });
        }}
        error={of.slug}
      />
      <Textarea
        label={t('organizations.description')}
        autosize
        minRows={2}
        maxRows={8}
        value={values.description}
        onChange={(value) => change({ description: value })}
        error={of.description}
      />
      <SimpleGrid cols={3} spacing="sm">
        {contactFields.map((field) => (
          <TextInput
            key={field}
            label={t(`organizations.${field}`)}
            value={values[field]}
            onChange={(value) => change({ [field]: value })}
          />
        ))}
      </SimpleGrid>
    </FormDialog>
  );
}
