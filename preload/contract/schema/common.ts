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

/** A place that has to be on this computer. */
const isHere = (location: 'local' | 'cloud_storage' | undefined): boolean => location !== 'cloud_storage';
const notHere = 'There is no cloud storage for this result. Choose "local".';
const noCloudStorage = 'There is no cloud storage for this result. Leave cloud_storage_id out.';
export const cloudStorageId = z.int().positive().nullable().optional();
const nameStorage = 'There is no cloud storage without an id. Give cloud_storage_id.';
const notBoth = 'There is no cloud storage at the location "local". Leave out one of them.';

/** Default place of the files of exports (target) and imports (source). */
export const storageWriteSchema = z
  .object({ location: z.enum(['local', 'cloud_storage']).default('local'), cloud_storage_id: cloudStorageId })
  .refine(({ location, cloud_storage_id: id }) => location === 'local' || typeof id === 'number', nameStorage)
  .refine(({ location, cloud_storage_id: id }) => location !== 'local' || typeof id !== 'number', notBoth);

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

/** Place of an export's result, or of an import's file. Without one, the storage of the task or project decides. */
export const placeQuery = {
  location: z.enum(['local', 'cloud_storage']).optional(),
  cloud_storage_id: z.string().optional(),
  use_default_location: queryBoolean.optional(),
};

export interface Place {
  readonly location?: 'local' | 'cloud_storage' | undefined;
  readonly cloud_storage_id?: string | undefined;
}

/** True if the default storage of the task or project decides. */
export const isDefaultPlace = (place: Place & { readonly use_default_location?: boolean | undefined }): boolean =>
  place.location === undefined && (place.cloud_storage_id ?? '') === '' && place.use_default_location !== false;

/** The cloud storage that a request names; undefined for this computer; a sentence if both are named or neither. */
export function namedStorage({ location, cloud_storage_id: id = '' }: Place): number | undefined | { problem: string } {
  if (id === '') return location === 'cloud_storage' ? { problem: nameStorage } : undefined;
  if (location === 'local') return { problem: notBoth };
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
