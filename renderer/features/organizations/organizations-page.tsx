/** Being written. */
export const OrganizationsPage = (_: object) => null;
