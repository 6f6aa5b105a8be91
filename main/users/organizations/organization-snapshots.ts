import { placeOf, snapshotOf, type ReadSnapshot } from '../../db/changes.ts';
import { toldOf } from '../../db/columns.ts';
import { presentInvitation, presentMembership, presentOrganization } from './organization-presenters.ts';
import type { OrganizationDependencies } from './organization-dependencies.ts';
import { organizationColumns } from './organization-repository.ts';

const placeIn = (organizationId: number) => placeOf({ project_id: null, organization_id: organizationId });

export const organizationSnapshot = ({ organizations }: Pick<OrganizationDependencies, 'organizations'>) =>
  snapshotOf(organizations.get, (row) => ({
    place: () => placeIn(row.id),
    columns: { ...toldOf(organizationColumns, row), contact: JSON.parse(row.contact) as unknown },
    present: (baseUrl) => presentOrganization(row, baseUrl),
  }));

export const membershipSnapshot = ({ memberships }: Pick<OrganizationDependencies, 'memberships'>) =>
  snapshotOf(memberships.get, (row) => ({
    place: () => placeIn(row.organization_id),
    columns: { role: row.role, is_active: row.is_active === 1, joined_date: row.joined_date },
    present: (baseUrl) => presentMembership(row, baseUrl),
    parts: () => (row.invitation_key === null ? [] : [['invitation', [row.invitation_key]]]),
  }));

export const invitationSnapshot =
  ({ invitations, clock }: Pick<OrganizationDependencies, 'invitations' | 'clock'>): ReadSnapshot =>
  (key) => {
    const row = invitations.get(String(key));
    return (
      row && {
        place: () => placeIn(row.organization_id),
        columns: {},
        present: (baseUrl) => presentInvitation(row, clock(), baseUrl),
      }
    );
  };
