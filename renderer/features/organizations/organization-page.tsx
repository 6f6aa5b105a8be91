/** Being written. */
export const OrganizationPage = (_: { readonly organizationId: number }) => null;
