/** What of a request decides whether it may come in at all, as it arrived on the wire. */
export interface IncomingFacts {
  readonly method: string;
  /** The request target, for example `/api/tasks?page=2`. */
  readonly target: string;
  /** Every `Host` header. */
  readonly hosts: readonly string[];
  readonly origin: string | undefined;
  readonly fetchSite: string | undefined;
  readonly fetchMode: string | undefined;
  readonly fetchDestination: string | undefined;
}

/** The only names under which the service answers: a name that an attacker's DNS points here is not among them. */
export function allowedHosts(port: number): ReadonlySet<string> {
  const names = ['127.0.0.1', 'localhost', '[::1]'];
  return new Set([...names.map((name) => `${name}:${port}`), ...(port === 80 ? names : [])]);
}

/** Pages that a link on another site, in a chat or in a mail may open. They show nothing without a session. */
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
 * The reason to refuse a request before it is routed, or null. Browsers send requests to loopback for any web page;
 * these rules let in the service's own pages, programs (which send neither `Origin` nor `Sec-Fetch-Site`), and links.
 */
export function refusalOf(request: IncomingFacts, hosts: ReadonlySet<string>): string | null {
  const [host] = request.hosts;
  if (request.hosts.length !== 1 || host === undefined || !hosts.has(host)) {
    return `This service answers only as ${[...hosts].join(', ')}.`;
  }
  if (!request.target.startsWith('/')) return 'The request target must be a path.';
  if (request.origin !== undefined && request.origin !== `http://${host}`) {
    return 'Requests from other origins are refused.';
  }
  const { fetchSite } = request;
  const isOwn = fetchSite === undefined || fetchSite === 'same-origin' || fetchSite === 'none';
  return isOwn || isOpenedLink(request) ? null : 'Requests from other sites are refused.';
}
