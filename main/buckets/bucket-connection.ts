import type { ProviderType, CredentialsType } from '../../preload/contract/schema/cloud-storages.ts';
import { invalidField } from '../platform/errors.ts';

/** Stored sealed. Absent values are not part of the credentials type. */
export interface BucketCredentials {
  readonly key?: string;
  readonly secret_key?: string;
  /** Session token of S3, or SAS token of Azure. */
  readonly session_token?: string;
  readonly account_name?: string;
  readonly connection_string?: string;
}

/** Everything that a request to a bucket needs. Contains secrets: never log it. */
export interface BucketConnection {
  readonly protocol: 's3' | 'azure';
  /** Address of the bucket without a slash at the end. */
  readonly address: string;
  /** Bucket or container, for messages. */
  readonly name: string;
  readonly region: string;
  /** Prefix of all listed objects; empty for the whole bucket. */
  readonly prefix: string;
  /** Key pair that signs requests to S3; null for anonymous access. */
  readonly keys: { readonly id: string; readonly secret: string; readonly session: string | undefined } | null;
  /** Query of a shared access signature (Azure), without a question mark; empty for none. */
  readonly signature: string;
}

interface ConnectionFields {
  readonly provider_type: ProviderType;
  readonly credentials_type: CredentialsType;
  readonly resource: string;
  readonly specific_attributes: string;
}

const googleAddress = 'https://storage.googleapis.com';

/**
 * Checks the fields of a cloud storage and converts them to a connection.
 * @throws AppError 400 that names the field
 */
export function bucketConnection(fields: ConnectionFields, credentials: BucketCredentials): BucketConnection {
  const attributes = new URLSearchParams(fields.specific_attributes);
  const unknown = [...attributes.keys()].find((name) => !['region', 'endpoint_url', 'prefix'].includes(name));
  if (unknown !== undefined)
    throw invalidField(
      'specific_attributes',
      `Unknown attribute "${unknown}". Use region, endpoint_url and prefix, as in region=eu-central-1.`,
    );
  const endpoint = attributes.get('endpoint_url') ?? '';
  const common = {
    name: fields.resource,
    region: attributes.get('region') ?? '',
    prefix: attributes.get('prefix') ?? '',
    keys: null,
    signature: '',
  };
  if (fields.provider_type === 'AZURE_CONTAINER')
    return { ...common, protocol: 'azure', ...azureParts(fields, endpoint, credentials) };
  const keys = keysOf(fields, credentials);
  if (fields.provider_type === 'GOOGLE_CLOUD_STORAGE') {
    const base = baseAddress(endpoint === '' ? googleAddress : endpoint);
    return { ...common, protocol: 's3', region: common.region || 'auto', keys, address: `${base}/${fields.resource}` };
  }
  const region = common.region || 'us-east-1';
  return { ...common, protocol: 's3', region, keys, address: s3Address(fields.resource, region, endpoint) };
}

function keysOf(fields: ConnectionFields, credentials: BucketCredentials): BucketConnection['keys'] {
  if (fields.credentials_type === 'ANONYMOUS_ACCESS') return null;
  if (fields.credentials_type === 'KEY_SECRET_KEY_PAIR') {
    const { key = '', secret_key: secret = '', session_token: session } = credentials;
    if (key === '') throw invalidField('key', 'This field is required.');
    if (secret === '') throw invalidField('secret_key', 'This field is required.');
    return { id: key, secret, session };
  }
  if (fields.credentials_type === 'KEY_FILE_PATH')
    throw invalidField(
      'credentials_type',
      'Key files of Google Cloud are not supported, because Limner uses its S3 interface. Create an HMAC key in the ' +
        'settings of Cloud Storage, and choose KEY_SECRET_KEY_PAIR.',
    );
  throw invalidField('credentials_type', `${fields.credentials_type} is not for ${fields.provider_type}.`);
}

/** Amazon's own addresses name the bucket in the host, unless a dot in it would break the certificate. */
function s3Address(bucket: string, region: string, endpoint: string): string {
  if (endpoint !== '') return `${baseAddress(endpoint)}/${bucket}`;
  const host = `s3.${region}.amazonaws.com`;
  return bucket.includes('.') ? `https://${host}/${bucket}` : `https://${bucket}.${host}`;
}

function azureParts(
  { credentials_type: type, resource }: ConnectionFields,
  endpoint: string,
  { account_name: account = '', session_token: token = '', connection_string: text = '' }: BucketCredentials,
): Pick<BucketConnection, 'address' | 'signature'> {
  if (type === 'CONNECTION_STRING') {
    const parts = connectionParts(text);
    const base = parts['blobendpoint'] ?? '';
    const signature = parts['sharedaccesssignature'] ?? '';
    if (base === '' || signature === '')
      throw invalidField(
        'connection_string',
        'Limner needs BlobEndpoint and SharedAccessSignature in the connection string. Create a shared access ' +
          'signature (SAS) for the account or the container, and use its connection string.',
      );
    return { address: `${baseAddress(base)}/${resource}`, signature: withoutMark(signature) };
  }
  if (type !== 'ACCOUNT_NAME_TOKEN_PAIR' && type !== 'ANONYMOUS_ACCESS')
    throw invalidField('credentials_type', `${type} is not for AZURE_CONTAINER.`);
  if (endpoint === '' && !/^[a-z0-9]{3,24}$/.test(account))
    throw invalidField('account_name', 'Enter the name of the storage account: 3 to 24 letters and digits.');
  if (type === 'ACCOUNT_NAME_TOKEN_PAIR' && token === '')
    throw invalidField('session_token', 'Enter the SAS token of the container.');
  const base = endpoint === '' ? `https://${account}.blob.core.windows.net` : baseAddress(endpoint);
  return { address: `${base}/${resource}`, signature: type === 'ANONYMOUS_ACCESS' ? '' : withoutMark(token) };
}

const withoutMark = (token: string): string => token.trim().replace(/^\?/, '');

function connectionParts(text: string): Record<string, string> {
  const pairs = text.split(';').map((part) => {
    const equals = part.indexOf('=');
    return [part.slice(0, Math.max(0, equals)).trim().toLowerCase(), part.slice(equals + 1).trim()];
  });
  return Object.fromEntries(pairs) as Record<string, string>;
}

function baseAddress(text: string): string {
  const url = URL.parse(text);
  const isAddress = url !== null && /^https?:$/.test(url.protocol) && url.search === '' && url.username === '';
  if (!isAddress)
    throw invalidField(
      'specific_attributes',
      'The endpoint_url must be an http or https address without a name, a password or a query, as in http://127.0.0.1:9000.',
    );
  return url.href.replace(/\/+$/, '');
}
