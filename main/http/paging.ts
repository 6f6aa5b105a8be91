import { relatedFilters, type Page } from '../../preload/contract/schema/common.ts';
import type { Actor, Listing, ListRequest } from '../users/access/actor.ts';
import { AppError, invalidField, notFound } from '../platform/errors.ts';
import type { RequestContext } from './request-context.ts';

const defaultPageSize = 10;
const maxPageSize = 1_000_000;
const maxPage = 1_000_000_000;
const notFilters: ReadonlySet<string> = new Set(['page', 'page_size', 'search', 'sort', 'filter', 'org', 'org_id']);

type ListQuery = Readonly<Record<string, string | undefined>>;

const invalidPage = () => new AppError('not-found', 'Invalid page.');

/** @throws AppError 404 `Invalid page.` */
export function listRequest(query: ListQuery): ListRequest {
  const page = query['page'] === undefined || query['page'] === '' ? 1 : Number(query['page']);
  if (!Number.isInteger(page) || page < 1 || page > maxPage) throw invalidPage();
  return {
    page,
    pageSize: pageSize(query['page_size']),
    search: query['search'] || undefined,
    sort: query['sort'] || undefined,
    filter: query['filter'] || undefined,
    equals: equalities(query),
  };
}

/** @throws AppError 400 if both names of a filter have different values */
function equalities(query: ListQuery): Record<string, string> {
  const equals: Record<string, string> = {};
  for (const [parameter, value] of Object.entries(query)) {
    if (value === undefined || notFilters.has(parameter)) continue;
    const name = fullNames.get(parameter) ?? parameter;
    if ((equals[name] ?? value) !== value) {
      throw invalidField(name, 'Both filters are given with different values. Use only one of them.');
    }
    equals[name] = value;
  }
  return equals;
}

/** Returns the object if it belongs to everything that the query names. @throws AppError 404 */
export function within<Found extends object>(found: Found, query: ListQuery): Found {
  const values = new Map(Object.entries(found).map(([name, value]) => [name, String(value)]));
  const isOther = Object.entries(equalities(query)).some(([name, value]) => values.get(name) !== value);
  if (isOther) throw notFound();
  return found;
}

const fullNames: ReadonlyMap<string, string> = new Map(Object.entries(relatedFilters));

/** An invalid size becomes the default, as clients of this API expect. */
function pageSize(text: string | undefined): number | 'all' {
  if (text === 'all') return 'all';
  const size = Number(text ?? defaultPageSize);
  return Number.isInteger(size) && size > 0 ? Math.min(size, maxPageSize) : defaultPageSize;
}

/** Page of a list, with the absolute URLs of the previous and next page. */
export function pageOf<Item>(
  url: URL,
  { page, pageSize }: Pick<ListRequest, 'page' | 'pageSize'>,
  { count, results }: Listing<Item>,
): Page<Item> {
  const last = pageSize === 'all' ? 1 : Math.max(1, Math.ceil(count / pageSize));
  if (page > last) throw invalidPage();
  return {
    count,
    next: page < last ? addressOfPage(url, page + 1) : null,
    previous: page > 1 ? addressOfPage(url, page - 1) : null,
    results,
  };
}

function addressOfPage(url: URL, page: number): string {
  const address = new URL(url);
  if (page === 1) address.searchParams.delete('page');
  else address.searchParams.set('page', String(page));
  return address.href;
}

interface ListInput {
  readonly query: ListQuery;
  readonly actor: Actor;
  readonly request: RequestContext;
}

export function listHandler<Item>(list: (actor: Actor, request: ListRequest) => Listing<Item>) {
  return ({ query, actor, request }: ListInput): Page<Item> => {
    const wanted = listRequest(query);
    return pageOf(request.url, wanted, list(actor, wanted));
  };
}
