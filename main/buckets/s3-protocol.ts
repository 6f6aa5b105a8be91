import { AwsV4Signer } from 'aws4fetch';
import type { XmlNode } from '../formats/io/xml-children.ts';
import type { BucketConnection } from './bucket-connection.ts';
import type { BucketProtocol } from './bucket-protocol.ts';

/** S3 and everything that speaks it. The signing library has no other dependency and makes no requests. */
export function createS3Protocol({ region, keys }: BucketConnection): BucketProtocol {
  /** Derived signing keys, by day. */
  const cache = new Map<string, ArrayBuffer>();
  return {
    listQuery: ({ prefix, delimiter, after, limit }) => ({
      'list-type': '2',
      'max-keys': String(limit),
      prefix,
      ...(delimiter ? { delimiter } : {}),
      ...(after === undefined ? {} : { 'continuation-token': after }),
    }),
    existsQuery: { 'list-type': '2', 'max-keys': '1' },
    readListing(node, page) {
      if (node.name === 'Contents') {
        page.objects.push({
          key: textOf(node, 'Key'),
          size: Number(textOf(node, 'Size')),
          etag: textOf(node, 'ETag'),
          modified: textOf(node, 'LastModified'),
        });
      } else if (node.name === 'CommonPrefixes') page.prefixes.push(textOf(node, 'Prefix'));
      else if (node.name === 'NextContinuationToken') page.next = node.text;
    },
    writeHeaders: {},
    async sign(method, url, headers) {
      if (keys === null) return { url, headers };
      const signer = new AwsV4Signer({
        method,
        url: url.href,
        headers,
        accessKeyId: keys.id,
        secretAccessKey: keys.secret,
        ...(keys.session ? { sessionToken: keys.session } : {}),
        service: 's3',
        region,
        cache,
        allHeaders: false,
      });
      const signed = await signer.sign();
      return { url: signed.url, headers: Object.fromEntries(signed.headers) };
    },
  };
}

export const textOf = ({ children }: XmlNode, name: string): string =>
  children.find((child) => child.name === name)?.text ?? '';
