/** What stands in an address where a password, or a name that is alone, is kept apart. */
const stars = '***';

export type TargetAddress = ReturnType<typeof hideCredentials>;

/**
 * An address with its secrets taken out: a password is one, and so is a name without one, as receivers take tokens that
 * way. `shown` is for answers, logs and the store, as it was written where it holds no secrets; `credentials` are
 * `name:password`, each as URLs write it, or empty.
 */
export function hideCredentials(address: string) {
  const url = new URL(address);
  const { username, password } = url;
  if (username === '' && password === '') return { shown: address, credentials: '' };
  if (password === '') url.username = stars;
  else url.password = stars;
  return { shown: url.href, credentials: `${username}:${password}` };
}

/** The address to send to: of what `hideCredentials` took apart. */
export function withCredentials(shown: string, credentials: string): string {
  if (credentials === '') return shown;
  const url = new URL(shown);
  const colon = credentials.indexOf(':');
  url.username = credentials.slice(0, colon);
  url.password = credentials.slice(colon + 1);
  return url.href;
}

/** Whether somebody sends an address back as it was shown. */
export const hasStars = ({ credentials }: TargetAddress): boolean => credentials.split(':').includes(stars);

/** Whether two shown addresses have the same receiver and name: its path and query are no matter of the password. */
export function sharesCredentials(one: string, other: string): boolean {
  const [a, b] = [new URL(one), new URL(other)];
  return a.origin === b.origin && a.username === b.username && a.password === b.password;
}
