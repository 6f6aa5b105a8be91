/** What stands in an address where a password, or a name that is alone, is kept apart. */
const stars = '***';

/** An address with its secrets taken out. */
export interface TargetAddress {
  /** For answers, logs and the store. As it was written where it holds no secrets. */
  readonly shown: string;
  /** `name:password`, each as URLs write it; empty: none. */
  readonly credentials: string;
}

/** A password is a secret, and so is a name without one: receivers take tokens that way. */
export function hideCredentials(address: string): TargetAddress {
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
