import type { XmlNode } from '../formats/io/xml-children.ts';
import type { ObjectRequest } from './object-request.ts';

export interface BucketObject {
  readonly key: string;
  /** Bytes. */
  readonly size: number;
  /** With its quotation marks. */
  readonly etag: string;
  readonly modified: string;
}

export interface BucketPage {
  readonly objects: BucketObject[];
  /** Common prefixes up to the delimiter, which ends each of them. */
  readonly prefixes: string[];
  /** Token of the next page; null on the last. */
  next: string | null;
}

export interface ListRange {
  readonly prefix: string;
  readonly delimiter?: '/' | undefined;
  readonly after?: string | undefined;
  /** At most 1000. */
  readonly limit: number;
}

/** The part in which S3 and Azure differ. */
export interface BucketProtocol {
  readonly listQuery: (range: ListRange) => Record<string, string>;
  readonly existsQuery: Record<string, string>;
  /** Adds a child of the listing's root to the page. */
  readonly readListing: (node: XmlNode, page: BucketPage) => void;
  readonly writeHeaders: Readonly<Record<string, string>>;
  readonly sign: (
    method: ObjectRequest['method'],
    url: URL,
    headers: Record<string, string>,
  ) => Promise<{ readonly url: URL; readonly headers: Record<string, string> }>;
}
