import type { XmlNode } from '../formats/io/xml-children.ts';
import type { BucketConnection } from './bucket-connection.ts';
import type { BucketProtocol } from './bucket-protocol.ts';
import { textOf } from './s3-protocol.ts';

/** Version of the Blob service's REST interface: the first with blocks of 5,000 MiB. */
const version = '2019-12-12';

/** Azure Blob Storage with a shared access signature, which is a query. */
export function createAzureProtocol({ signature }: BucketConnection): BucketProtocol {
  return {
    listQuery: ({ prefix, delimiter, after, limit }) => ({
      restype: 'container',
      comp: 'list',
      maxresults: String(limit),
      prefix,
      ...(delimiter ? { delimiter } : {}),
      ...(after === undefined ? {} : { marker: after }),
    }),
    existsQuery: { restype: 'container', comp: 'list', maxresults: '1' },
    readListing(node, page) {
      if (node.name === 'NextMarker' && node.text !== '') page.next = node.text;
      if (node.name !== 'Blobs') return;
      for (const blob of node.children) {
        const key = textOf(blob, 'Name');
        if (blob.name === 'BlobPrefix') page.prefixes.push(key);
        else page.objects.push({ key, ...propertiesOf(blob) });
      }
    },
    writeHeaders: { 'x-ms-blob-type': 'BlockBlob' },
    sign(_method, url, headers) {
      const signed = new URL(url);
      for (const [name, value] of new URLSearchParams(signature)) signed.searchParams.append(name, value);
      return Promise.resolve({ url: signed, headers: { ...headers, 'x-ms-version': version } });
    },
  };
}

function propertiesOf(blob: XmlNode) {
  const properties = blob.children.find(({ name }) => name === 'Properties') ?? blob;
  const etag = textOf(properties, 'Etag');
  return {
    size: Number(textOf(properties, 'Content-Length')),
    // Listings have the tag without the quotation marks that answers have.
    etag: etag.startsWith('"') ? etag : `"${etag}"`,
    modified: textOf(properties, 'Last-Modified'),
  };
}
