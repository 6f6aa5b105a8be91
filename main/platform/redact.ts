export const redacted = '[redacted]';

const secretKey =
  /^(.*[-_])?(password\d?|passphrase|token|secret|authorization|cookie|set-cookie|api[-_]?key|private[-_]?key|csrf(token)?|session(id)?|signature|credentials?)$/i;
const secretKeyCamel = /(Password|Passphrase|Token|Secret|ApiKey|PrivateKey|Cookie|SessionId|Credentials?)$/;

const credentialInText = /\b(Token|Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{8,}/g;
const secretInQuery = /([?&](?:token|access_token|password|secret|key|signature)=)[^&#\s"']+/gi;
const cookieInText = /\b(sessionid|csrftoken)=[^;,\s"']+/gi;
const userInfoInUrl = /(\b[a-z][a-z0-9+.-]*:\/\/[^/\s:@]*:)[^/\s@]+@/gi;

/** Masks credentials inside a sentence, an address or a header line. */
export function redactText(text: string): string {
  return text
    .replace(credentialInText, `$1 ${redacted}`)
    .replace(secretInQuery, `$1${redacted}`)
    .replace(cookieInText, `$1=${redacted}`)
    .replace(userInfoInUrl, `$1${redacted}@`);
}

const maxDepth = 6;

/** A copy of `fields` that is safe to store: secrets masked by key and inside text, errors as plain data. */
export function redact(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, redactEntry(key, value, 1)]));
}

function redactEntry(key: string, value: unknown, depth: number): unknown {
  if (secretKey.test(key) || secretKeyCamel.test(key)) return value === undefined ? undefined : redacted;
  return redactValue(value, depth);
}

function redactValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return redactText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= maxDepth) return '[…]';
  if (value instanceof Error) return redactError(value, depth);
  if (value instanceof Date) return value;
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (Array.isArray(value)) return value.map((item) => redactValue(item, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, redactEntry(key, item, depth + 1)]));
}

function redactError(error: Error, depth: number): Record<string, unknown> {
  const code = (error as { code?: unknown }).code;
  return {
    name: error.name,
    message: redactText(error.message),
    code: typeof code === 'string' || typeof code === 'number' ? code : undefined,
    stack: error.stack === undefined ? undefined : redactText(error.stack),
    cause: error.cause === undefined ? undefined : redactValue(error.cause, depth + 1),
  };
}
