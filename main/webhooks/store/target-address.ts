/** Placeholder in a URL for a password, or for a user name without a password. */
const stars = '***';

export type TargetAddress = ReturnType<typeof hideCredentials>;

/**
 * Removes the secrets of a URL: the password, or a user name without one, which may be a token. `shown` is for answers,
 * logs and the store, and unchanged if there are no secrets; `credentials` is `name:password` in URL encoding, or
 * empty.
 */
export function hideCredentials(address: string) {
  const url = new URL(address);
  const { username, password } = url;
  if (username === '' && password === '') return { shown: address, credentials: '' };
  if (password === '') url.username = stars;
  else url.password = stars;
  return { shown: url.href, credentials: `${username}:${password}` };
}

/** Restores the URL from the parts of `hideCredentials`. */
export function withCredentials(shown: string, credentials: string): string {
  if (credentials === '') return shown;
  const url = new URL(shown);
  const colon = credentials.indexOf(':');
  url.username = credentials.slice(0, colon);
  url.password = credentials.slice(colon + 1);
  return url.href;
}

/** True if a client sent the URL back as shown. */
export const hasStars = ({ credentials }: TargetAddress): boolean => credentials.split(':').includes(stars);

/** True if both URLs have the same receiver and user name; path and query do not matter. */
export function sharesCredentials(one: string, other: string): boolean {
  const [a, b] = [new URL(one), new URL(other)];
  return a.origin === b.origin && a.username === b.username && a.password === b.password;
}
