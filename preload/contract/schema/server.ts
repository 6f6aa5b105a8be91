import { z } from 'zod';
import { basicUserSchema, dateTimeSchema } from './common.ts';

export const aboutSchema = z.object({
  name: z.string(),
  description: z.string(),
  version: z.string(),
  logo_url: z.string(),
  subtitle: z.string(),
});

const formatSchema = z.object({
  name: z.string(),
  ext: z.string(),
  version: z.string(),
  enabled: z.boolean(),
  dimension: z.enum(['2d', '3d', '1d']),
});
export const datasetFormatsSchema = z.object({ importers: z.array(formatSchema), exporters: z.array(formatSchema) });
export type DatasetFormats = z.infer<typeof datasetFormatsSchema>;

export const pluginsSchema = z.object({ ANALYTICS: z.boolean(), MODELS: z.boolean() });

export const shareEntrySchema = z.object({
  name: z.string(),
  type: z.enum(['REG', 'DIR']),
  mime_type: z.string(),
});

const profileText = z.string().max(200);
/** Questions of CVAT to new users, since 2.74. The answers are stored and used for nothing. */
export const userProfile = {
  cvat_usage_reason: z.enum(['', 'work_project', 'academic_research', 'teaching_or_coursework', 'personal_project']),
  primary_role: profileText,
  planned_activities: z.array(
    z.enum([
      'set_up_projects',
      'annotate_data',
      'review_quality',
      'manage_annotators',
      'connect_models',
      'evaluate_for_organization',
    ]),
  ),
  data_types: z.array(profileText).max(50),
  discovery_source: profileText,
};
const userProfileSchema = z.object(userProfile);
export type UserProfile = z.output<typeof userProfileSchema>;

export const groups = ['admin', 'user', 'worker'] as const;
export const userSchema = basicUserSchema.extend({
  email: z.string(),
  groups: z.array(z.enum(groups)),
  is_staff: z.boolean(),
  is_superuser: z.boolean(),
  is_active: z.boolean(),
  last_login: dateTimeSchema.nullable(),
  date_joined: dateTimeSchema,
  has_analytics_access: z.boolean(),
  ...userProfile,
  email_verified: z.boolean().nullable(),
  created_via: z.enum(['registration', 'social', 'sso', 'ldap', 'invitation']).nullable(),
});
export type User = z.infer<typeof userSchema>;
/** Only the user and administrators see the e-mail address, groups and dates. */
export const visibleUserSchema = z.union([userSchema, basicUserSchema]);

export const loginSchema = z.object({
  username: z.string().optional(),
  email: z.string().optional(),
  password: z.string(),
});
export const keySchema = z.object({ key: z.string() });
export const detailSchema = z.object({ detail: z.string() });
export const registerSchema = z.object({
  username: z.string().min(5).max(150),
  email: z.string().default(''),
  password1: z.string(),
  password2: z.string(),
  first_name: z.string().default(''),
  last_name: z.string().default(''),
  /** Limner extension: key of an invitation, because no e-mail can prove the owner of the address. */
  invitation: z.string().optional(),
});
export const registeredSchema = z.object({
  username: z.string(),
  email: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  email_verification_required: z.boolean(),
  key: z.string().nullable(),
});
export const passwordChangeSchema = z.object({
  old_password: z.string(),
  new_password1: z.string(),
  new_password2: z.string(),
});

export const accessTokenSchema = z.object({
  id: z.int(),
  name: z.string(),
  created_date: dateTimeSchema,
  updated_date: dateTimeSchema,
  expiry_date: dateTimeSchema.nullable(),
  last_used_date: dateTimeSchema.nullable(),
  read_only: z.boolean(),
  owner: basicUserSchema.nullable(),
});
/** Only the answer to the creation contains the token's value. */
export const newAccessTokenSchema = accessTokenSchema.extend({ value: z.string() });
export const accessTokenWriteSchema = z.object({
  name: z.string().trim().min(1).max(64),
  expiry_date: dateTimeSchema.nullable().optional(),
  read_only: z.boolean().default(true),
});
