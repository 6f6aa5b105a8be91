/** Members that `openapi.ts` writes. */
interface DocumentedOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly parameters: readonly { readonly name: string }[];
  readonly requestBody?: { readonly content: object };
}

const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

/** A page of all operations, without scripts, styles or files: the content security policy needs no exception. */
export function schemaPage(paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>): string {
  const byTag = new Map<string, string[]>();
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, { operationId, tags, summary, parameters, requestBody }] of Object.entries(methods)) {
      const names = parameters.map(({ name }) => name).join(', ');
      const body = Object.keys(requestBody?.content ?? {}).join(', ');
      const cells = [method.toUpperCase(), path, summary, names, body].map((text) => `<td>${escaped(text)}</td>`);
      const row = `<tr id="${escaped(operationId)}">${cells.join('')}</tr>`;
      byTag.set(tags[0] ?? '', [...(byTag.get(tags[0] ?? '') ?? []), row]);
    }
  }
  const tags = [...byTag.keys()].sort();
  const links = tags.map((tag) => `<a href="#tag-${escaped(tag)}">${escaped(tag)}</a>`);
  const head = '<tr><th>Method</th><th>Path</th><th>Operation</th><th>Parameters</th><th>Body</th></tr>';
  const tables = tags.map(
    (tag) =>
      `<h2 id="tag-${escaped(tag)}">${escaped(tag)}</h2>\n<table>\n${head}\n${byTag.get(tag)?.join('\n')}\n</table>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Limner API</title>
</head>
<body>
<h1>Limner API</h1>
<p>OpenAPI document: <a href="/api/schema/?scheme=json">JSON</a>, <a href="/api/schema/?scheme=yaml">YAML</a></p>
<p>${links.join(' ')}</p>
${tables.join('\n')}
</body>
</html>
`;
}
