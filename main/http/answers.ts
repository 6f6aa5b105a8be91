/** The media type of every JSON answer. */
export const mediaType = 'application/vnd.cvat+json';

export function jsonAnswer(body: unknown, status = 200, headers?: Headers): Response {
  const answer = new Response(JSON.stringify(body), { status, headers: { 'Content-Type': mediaType } });
  answer.headers.set('Cache-Control', 'no-store');
  headers?.forEach((value, name) => answer.headers.append(name, value));
  return answer;
}

export function textAnswer(text: string, status: number): Response {
  return new Response(text, {
    status,
    headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' },
  });
}

export function emptyAnswer(status: number, headers?: Headers): Response {
  const answer = new Response(null, { status });
  headers?.forEach((value, name) => answer.headers.append(name, value));
  return answer;
}
