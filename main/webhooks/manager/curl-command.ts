interface SentRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A POST as a curl command for a POSIX shell: sends the same bytes under the same headers. */
export function curlCommand({ url, headers, body }: SentRequest): string {
  const options = Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`);
  return ['curl --globoff -X POST', ...options, `--data-raw ${quoted(body)}`, quoted(url)].join(' ');
}

/** Nothing is special between single quotes but the quote itself. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
