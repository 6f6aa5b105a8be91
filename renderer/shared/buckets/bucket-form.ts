import type {
  CloudStorage,
  CloudStoragePatch,
  CredentialsType,
  ProviderType,
} from '../../../preload/contract/schema/cloud-storages.ts';

export const bucketKinds = ['s3', 'compatible', 'google', 'azure'] as const;
export type BucketKind = (typeof bucketKinds)[number];

const providers: Readonly<Record<BucketKind, ProviderType>> = {
  s3: 'AWS_S3_BUCKET',
  compatible: 'AWS_S3_BUCKET',
  google: 'GOOGLE_CLOUD_STORAGE',
  azure: 'AZURE_CONTAINER',
};

const attributeNames = { endpoint: 'endpoint_url', region: 'region', prefix: 'prefix' } as const;
export const secretFields = ['key', 'secret_key', 'session_token', 'account_name', 'connection_string'] as const;
export type SecretField = (typeof secretFields)[number];

export interface BucketForm extends Readonly<Record<SecretField, string>> {
  readonly kind: BucketKind;
  readonly name: string;
  readonly resource: string;
  readonly endpoint: string;
  readonly region: string;
  readonly prefix: string;
  readonly access: CredentialsType;
  /** One key per line. */
  readonly manifests: string;
}

export const accessTypes = (kind: BucketKind): readonly CredentialsType[] =>
  kind === 'azure'
    ? ['ACCOUNT_NAME_TOKEN_PAIR', 'CONNECTION_STRING', 'ANONYMOUS_ACCESS']
    : ['KEY_SECRET_KEY_PAIR', 'ANONYMOUS_ACCESS'];

/** Fields that a way of access needs, besides those that every bucket has. */
export function secretsOf({ kind, access }: Pick<BucketForm, 'kind' | 'access'>): readonly SecretField[] {
  if (access === 'KEY_SECRET_KEY_PAIR') return ['key', 'secret_key'];
  if (access === 'ACCOUNT_NAME_TOKEN_PAIR') return ['account_name', 'session_token'];
  if (access === 'CONNECTION_STRING') return ['connection_string'];
  return kind === 'azure' ? ['account_name'] : [];
}

export function kindOf({
  provider_type: provider,
  specific_attributes: attributes,
}: Pick<CloudStorage, 'provider_type' | 'specific_attributes'>): BucketKind {
  if (provider === 'AZURE_CONTAINER') return 'azure';
  if (provider === 'GOOGLE_CLOUD_STORAGE') return 'google';
  return new URLSearchParams(attributes).has('endpoint_url') ? 'compatible' : 's3';
}

/** Host of the bucket's server; empty for the provider's own. */
export const hostOf = ({ specific_attributes: attributes }: Pick<CloudStorage, 'specific_attributes'>): string =>
  URL.parse(new URLSearchParams(attributes).get('endpoint_url') ?? '')?.host ?? '';

export function formOf(storage: CloudStorage | null): BucketForm {
  const attributes = new URLSearchParams(storage?.specific_attributes);
  return {
    kind: storage === null ? 'compatible' : kindOf(storage),
    name: storage?.display_name ?? '',
    resource: storage?.resource ?? '',
    endpoint: attributes.get('endpoint_url') ?? '',
    region: attributes.get('region') ?? '',
    prefix: attributes.get('prefix') ?? '',
    access: storage?.credentials_type ?? 'KEY_SECRET_KEY_PAIR',
    manifests: storage?.manifests.join('\n') ?? '',
    key: '',
    secret_key: '',
    session_token: '',
    account_name: '',
    connection_string: '',
  };
}

/** Keeps the order of attributes that another program wrote, because the service compares the text. */
function attributesOf(form: BucketForm, stored: string): string {
  const attributes = new URLSearchParams(stored);
  let isChanged = false;
  for (const [field, name] of Object.entries(attributeNames)) {
    const value = field === 'endpoint' && form.kind === 's3' ? '' : form[field as keyof typeof attributeNames].trim();
    if (value === (attributes.get(name) ?? '')) continue;
    isChanged = true;
    if (value === '') attributes.delete(name);
    else attributes.set(name, value);
  }
  return isChanged ? attributes.toString() : stored;
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** Body that connects or changes a bucket. Empty secrets are left out: the service then keeps the stored ones. */
export function writeOfForm(form: BucketForm, stored: CloudStorage | null) {
  const secrets = secretsOf(form).filter((name) => form[name].trim() !== '');
  return {
    provider_type: providers[form.kind],
    resource: form.resource.trim(),
    display_name: form.name.trim() === '' ? form.resource.trim() : form.name.trim(),
    credentials_type: form.access,
    specific_attributes: attributesOf(form, stored?.specific_attributes ?? ''),
    manifests: linesOf(form.manifests),
    ...Object.fromEntries(secrets.map((name) => [name, form[name].trim()])),
  } satisfies CloudStoragePatch;
}

/** True if the stored credentials no longer apply, so that they have to be entered again. */
export function needsSecrets(form: BucketForm, stored: CloudStorage | null): boolean {
  if (stored === null) return true;
  const next = writeOfForm(form, stored);
  return (['provider_type', 'credentials_type', 'resource', 'specific_attributes'] as const).some(
    (name) => next[name] !== stored[name],
  );
}

export function isComplete(form: BucketForm, stored: CloudStorage | null): boolean {
  if (form.resource.trim() === '' || (form.kind === 'compatible' && form.endpoint.trim() === '')) return false;
  if (!needsSecrets(form, stored)) return true;
  // An Azure server with an own address needs no account name.
  const needed = secretsOf(form).filter((name) => name !== 'account_name' || form.endpoint.trim() === '');
  return needed.every((name) => form[name].trim() !== '');
}
