/** Facts of a raw request that decide if it is accepted at all. */
export interface IncomingFacts {
  readonly method: string;
  /** The request target, for example `/api/tasks?page=2`. */
  readonly target: string;
  readonly hosts: readonly string[];
  readonly origin: string | undefined;
  readonly fetchSite: string | undefined;
  readonly fetchMode: string | undefined;
  readonly fetchDestination: string | undefined;
}

/**
 * The only host names that the service answers to. This stops DNS rebinding: a name that an attacker points here is not
 * among them.
 */
export function allowedHosts(port: number): ReadonlySet<string> {
  const names = ['127.0.0.1', 'localhost', '[::1]'];
  return new Set([...names.map((name) => `${name}:${port}`), ...(port === 80 ? names : [])]);
}

/** Pages that links on other sites, in chats or in mails may open. They show nothing without a session. */
const linkable: ReadonlySet<string> = new Set(['/', '/launch']);

function isOpenedLink(request: IncomingFacts): boolean {
  return (
    request.method === 'GET' &&
    request.fetchMode === 'navigate' &&
    request.fetchDestination === 'document' &&
    linkable.has(request.target.split('?', 1)[0] ?? '')
  );
}

/**
 * Returns the reason to reject a request before routing, or null. Browsers send requests to loopback for any web page;
 * these rules accept the service's own pages, programs (which send neither `Origin` nor `Sec-Fetch-Site`), and links.
 */
export function refusalOf(request: IncomingFacts, hosts: ReadonlySet<string>): string | null {
  const [host] = request.hosts;
  if (request.hosts.length !== 1 || host === undefined || !hosts.has(host)) {
    return `This service answers only as ${[...hosts].join(', ')}.`;
  }
  if (!request.target.startsWith('/')) return 'The request target must be a path.';
  if (request.origin !== undefined && request.origin !== `http://${host}`) {
    return 'Requests from other origins are rejected.';
  }
  const { fetchSite } = request;
  const isOwn = fetchSite === undefined || fetchSite === 'same-origin' || fetchSite === 'none';
  return isOwn || isOpenedLink(request) ? null : 'Requests from other sites are rejected.';
}
