import { z } from 'zod';
import { basicUserSchema, dateTimeSchema } from './common.ts';
import { groups, userProfile } from './server.ts';

/** Roles in an organization, in ascending order. */
export const organizationRoles = ['worker', 'supervisor', 'maintainer', 'owner'] as const;
export type OrganizationRole = (typeof organizationRoles)[number];

const maxNameLength = 150;
const personName = z.string().trim().max(maxNameLength);
const email = z
  .string()
  .trim()
  .max(254)
  .regex(/^[^\s@]+@[^\s@]+$/, 'Enter a valid email address.');

export const userPatchSchema = z
  .object({
    username: z
      .string()
      .min(1, 'This field may not be blank.')
      .max(maxNameLength)
      .regex(/^[\w.@+-]+$/, 'Use letters, digits and @ . + - _ only.'),
    first_name: personName,
    last_name: personName,
    /** Empty: none. */
    email: z.union([z.literal(''), email]),
    groups: z.array(z.enum(groups)).min(1, 'Choose at least one group.'),
    is_staff: z.boolean(),
    is_superuser: z.boolean(),
    is_active: z.boolean(),
    has_analytics_access: z.boolean(),
    ...userProfile,
  })
  .partial();
export type UserPatch = z.infer<typeof userPatchSchema>;

const maxContactLength = 10_000;

export const organizationSchema = z.object({
  id: z.int(),
  slug: z.string(),
  name: z.string(),
  description: z.string(),
  created_date: dateTimeSchema,
  updated_date: dateTimeSchema,
  /** Any JSON; commonly phoneNumber, email and location. */
  contact: z.record(z.string(), z.unknown()),
  owner: basicUserSchema.nullable(),
});
export type Organization = z.infer<typeof organizationSchema>;

const organizationFields = {
  slug: z
    .string()
    .min(1, 'This field may not be blank.')
    .max(16)
    .regex(/^[-a-zA-Z0-9_]+$/, 'Use letters, digits, underscores and hyphens only.'),
  name: z.string().trim().max(64),
  description: z.string().max(10_000),
  contact: z
    .record(z.string(), z.unknown())
    .refine((contact) => JSON.stringify(contact).length <= maxContactLength, 'The contact is too long.'),
};
export const organizationWriteSchema = z.object({
  slug: organizationFields.slug,
  name: organizationFields.name.default(''),
  description: organizationFields.description.default(''),
  contact: organizationFields.contact.default({}),
});
export const organizationPatchSchema = z.object(organizationFields).partial();

export const membershipSchema = z.object({
  id: z.int(),
  user: basicUserSchema,
  organization: z.int(),
  /** False until the invitation is accepted. */
  is_active: z.boolean(),
  joined_date: dateTimeSchema.nullable(),
  role: z.enum(organizationRoles),
  invitation: z.string().nullable(),
});
export type Membership = z.infer<typeof membershipSchema>;
/** The service rejects all other fields itself, because its errors depend on the field and the user. */
export const membershipPatchSchema = z.looseObject({ role: z.enum(organizationRoles).optional() });

export const invitationSchema = z.object({
  key: z.string(),
  created_date: dateTimeSchema,
  owner: basicUserSchema.nullable(),
  role: z.enum(organizationRoles),
  user: basicUserSchema,
  organization: z.int(),
  expired: z.boolean().nullable(),
  accepted: z.boolean(),
  organization_info: z.object({ id: z.int(), slug: z.string() }),
});
export type Invitation = z.infer<typeof invitationSchema>;
export const invitationWriteSchema = z.object({
  role: z.enum(organizationRoles),
  /** Or the name of an existing user, because local accounts need no address. */
  email: z.string().trim().min(1, 'This field may not be blank.').max(254),
});
export const acceptedInvitationSchema = z.object({ organization_slug: z.string() });

export const passwordResetSchema = z.object({ email });
export const passwordResetConfirmSchema = z.object({
  new_password1: z.string(),
  new_password2: z.string(),
  uid: z.string(),
  token: z.string(),
  /**
   * Limner extension. By default the reset also revokes personal access tokens, because they may be compromised too.
   */
  limner_keep_access_tokens: z.boolean().optional(),
});
/** Values that an administrator gives to a user who forgot the password. The confirming request needs both. */
export const passwordResetTokenSchema = z.object({ uid: z.string(), token: z.string(), expiry_date: dateTimeSchema });
