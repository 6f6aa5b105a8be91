import { create } from 'zustand';

const storageKey = 'limner.organization';

const stored = (): string | null => {
  try {
    return localStorage.getItem(storageKey);
  } catch {
    return null;
  }
};

/**
 * The organization whose work the screens show, by its slug. Empty: the personal space. Null: everything, which is what
 * somebody who never made an organization sees.
 */
export const useOrganizationContext = create<{ readonly slug: string | null }>(() => ({ slug: stored() }));

export const organizationContext = (): string | null => useOrganizationContext.getState().slug;

/** Kept for the next start. Whoever calls it makes the lists on screen stale. */
export function chooseOrganization(slug: string | null): void {
  useOrganizationContext.setState({ slug });
  try {
    if (slug === null) localStorage.removeItem(storageKey);
    else localStorage.setItem(storageKey, slug);
  } catch {
    // A browser without storage forgets the choice with the window.
  }
}
