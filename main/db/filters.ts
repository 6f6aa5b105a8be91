/** What a list is asked for, as it comes from the query string: parsed, not yet checked against a resource. */
export interface ListRequest {
  /** 1-based. */
  readonly page: number;
  readonly pageSize: number | 'all';
  readonly search?: string;
  /** For example `name,-id`. */
  readonly sort?: string;
  /** JSON Logic as text. */
  readonly filter?: string;
  /** Equality filters by field name. */
  readonly equals: Readonly<Record<string, string>>;
}

export interface FilterField {
  /** SQL expression over the list's FROM clause. Never made from input. */
  readonly sql: string;
  readonly type: 'text' | 'number' | 'boolean' | 'date';
  /** May be used as `?field=value`. Fields without it serve only `filter`, `sort` or `search`. */
  readonly equality?: boolean;
}

/** A resource's list: which fields may be filtered, searched and sorted, and what they mean in SQL. */
export interface ListDefinition {
  readonly select: string;
  readonly from: string;
  readonly fields: Readonly<Record<string, FilterField>>;
  readonly search: readonly string[];
  /** Default order, for example `-id`. */
  readonly sort: string;
}
