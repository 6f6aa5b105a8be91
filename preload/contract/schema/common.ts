import { z } from 'zod';

/** ISO 8601 in UTC with microseconds and `Z`, for example `2026-11-20T09:30:00.000000Z`. */
export const dateTimeSchema = z.iso.datetime({ offset: true });

export const basicUserSchema = z.object({
  url: z.string(),
  id: z.int(),
  username: z.string(),
  first_name: z.string(),
  last_name: z.string(),
});
export type BasicUser = z.infer<typeof basicUserSchema>;

export const storageSchema = z.object({
  id: z.int(),
  location: z.enum(['local', 'cloud_storage']),
  cloud_storage_id: z.int().nullable(),
});
export type Storage = z.infer<typeof storageSchema>;

/** Projects and tasks have no default place in a bucket. Requests that name one are rejected instead of using another place. */
const isHere = (location: 'local' | 'cloud_storage' | undefined): boolean => location !== 'cloud_storage';
const notHere =
  'There is no cloud storage as the default place. Choose "local", and name the cloud storage in each export and import.';
const noCloudStorage = 'There is no cloud storage as the default place. Leave cloud_storage_id out, or send null.';
export const cloudStorageId = z.int().positive().nullable().optional();
const noCloudStorageId = z
  .int()
  .nullable()
  .optional()
  .refine((id) => id === null || id === undefined, noCloudStorage);

export const storageWriteSchema = z.object({
  location: z.enum(['local', 'cloud_storage']).default('local').refine(isHere, notHere),
  cloud_storage_id: noCloudStorageId,
});

/** Summary of a related collection: the number of items and the URL of the filtered list. */
export const collectionSummarySchema = z.object({ count: z.int(), url: z.string() });
export const labelsSummarySchema = z.object({ url: z.string() });

export const idParams = z.object({ id: z.coerce.number().int().nonnegative() });

/** Python clients send `True` and `False`. */
export const queryBoolean = z
  .string()
  .transform((text) => text.toLowerCase())
  .pipe(z.enum(['true', 'false', '1', '0']))
  .transform((text) => text === 'true' || text === '1');

/** Shared by all lists, because creating schemas takes an eighth of the start time. */
const wholeNumber = z.int();
const pageAddress = z.string().nullable();
const optionalText = z.string().optional();

export const pageSchema = <Item extends z.ZodType>(item: Item) =>
  z.object({
    count: wholeNumber,
    next: pageAddress,
    previous: pageAddress,
    results: z.array(item),
  });
export interface Page<Item> {
  readonly count: number;
  readonly next: string | null;
  readonly previous: string | null;
  readonly results: Item[];
}

export const organizationQuery = {
  org: optionalText,
  org_id: optionalText,
};

/** Query of every list: paging, search, sorting, JSON Logic, organization context; `fields` are equality filters. */
export const listQuery = <Shape extends z.ZodRawShape>(fields: Shape) =>
  z.object({
    page: optionalText,
    page_size: optionalText,
    search: optionalText,
    sort: optionalText,
    filter: optionalText,
    ...organizationQuery,
    ...fields,
  });

export const equalTo = <const Names extends readonly string[]>(...names: Names) =>
  Object.fromEntries(names.map((name) => [name, optionalText])) as { [Name in Names[number]]: typeof optionalText };

/** Lists of related objects also accept the object's plain name, as in CVAT's specification. */
export const relatedFilters = {
  organization: 'organization_id',
  project: 'project_id',
  task: 'task_id',
  job: 'job_id',
  issue: 'issue_id',
} as const;
export const related = <const Names extends readonly (keyof typeof relatedFilters)[]>(...names: Names) =>
  equalTo(...names);

export const rqIdSchema = z.object({ rq_id: z.string() });

const nameStorage = 'There is no cloud storage without an id. Give cloud_storage_id.';

/** Place of an export's result, or of an import's file. `use_default_location` has no effect: the default is local. */
export const placeQuery = {
  location: z.enum(['local', 'cloud_storage']).optional(),
  cloud_storage_id: z.string().optional(),
  use_default_location: queryBoolean.optional(),
};

export interface Place {
  readonly location?: 'local' | 'cloud_storage' | undefined;
  readonly cloud_storage_id?: string | undefined;
}

/** The cloud storage that a request names; undefined for this computer; a sentence if both are named or neither. */
export function namedStorage({ location, cloud_storage_id: id = '' }: Place): number | undefined | { problem: string } {
  if (id === '') return location === 'cloud_storage' ? { problem: nameStorage } : undefined;
  if (location === 'local')
    return { problem: 'There is no cloud storage at the location "local". Leave out one of them.' };
  return /^[1-9]\d{0,14}$/.test(id) ? Number(id) : { problem: `There is no cloud storage with the id ${id}.` };
}

/** Place of a result that is always on this computer. */
export const acceptLocation = {
  location: z.enum(['local', 'cloud_storage']).optional().refine(isHere, notHere),
  cloud_storage_id: z
    .string()
    .optional()
    .refine((id) => id === undefined || id === '', noCloudStorage),
  use_default_location: queryBoolean.optional(),
};
