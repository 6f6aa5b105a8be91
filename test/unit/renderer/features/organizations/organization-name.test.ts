import { describe, expect, test } from 'vitest';
import { organizationWriteSchema } from '../../../../../preload/contract/schema/people.ts';
import { slugOf } from '../../../../../renderer/features/organizations/organization-name.ts';

describe('the short name of an organization', () => {
  test.each([
    ['Harbour survey', 'harbour-survey'],
    ['  Zoë & Søn – Kräne ', 'zoe-s-n-krane'],
    ['A name that is much longer than sixteen', 'a-name-that-is-m'],
    ['!!!', ''],
  ])('%s becomes %s', (name, slug) => {
    expect(slugOf(name)).toBe(slug);
    if (slug !== '') expect(organizationWriteSchema.shape.slug.safeParse(slug).success).toBe(true);
  });
});
