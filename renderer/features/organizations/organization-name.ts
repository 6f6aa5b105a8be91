import type { Organization } from '../../../preload/contract/schema/people.ts';

export const organizationName = ({ name, slug }: Pick<Organization, 'name' | 'slug'>): string =>
  name === '' ? slug : name;

/** Slug of a name: `Harbour survey` becomes `harbour-survey`. */
export const slugOf = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9_]+/g, '-')
    .slice(0, 16)
    .replaceAll(/^-+|-+$/g, '');
