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
 * Slug of the active organization. Empty means the personal workspace; null means everything, for users without
 * organizations.
 */
export const useOrganizationContext = create<{ readonly slug: string | null }>(() => ({ slug: stored() }));

export const organizationContext = (): string | null => useOrganizationContext.getState().slug;

/** Saves the choice for the next start. Callers must invalidate the lists on screen. */
export function chooseOrganization(slug: string | null): void {
  useOrganizationContext.setState({ slug });
  try {
    if (slug === null) localStorage.removeItem(storageKey);
    else localStorage.setItem(storageKey, slug);
  } catch {
    // A browser without storage forgets the choice when the window closes.
  }
}
