import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileAnswer, fileContent } from './file-answer.ts';
import { openapiDocument } from './openapi.ts';
import { contentTypeOf } from './pages.ts';
import type { PlainRoute } from './route.ts';

const uiFiles = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'];

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>Limner API</title>
    <link rel="icon" href="/api/docs/favicon-32x32.png">
    <link rel="stylesheet" href="/api/docs/swagger-ui.css">
  </head>
  <body>
    <div id="api"></div>
    <script src="/api/docs/swagger-ui-bundle.js"></script>
    <script src="/api/docs/start.js"></script>
  </body>
</html>
`;

/** Separate file because the content security policy allows no inline scripts. */
const startScript = `const token = () => /(?:^|; )csrftoken=([^;]*)/.exec(document.cookie)?.[1] ?? '';
SwaggerUIBundle({
  url: '/api/schema/?scheme=json',
  dom_id: '#api',
  deepLinking: true,
  validatorUrl: null,
  requestInterceptor(request) {
    request.headers['X-CSRFToken'] = token();
    return request;
  },
});
`;

const staticText = (text: string, contentType: string) =>
  new Response(text, { headers: { 'Content-Type': contentType, 'Cache-Control': 'no-cache' } });

export function schemaRoutes(otherRoutes: readonly PlainRoute[]): PlainRoute[] {
  let document: string | undefined;
  let inYaml: string | undefined;
  const schema: PlainRoute = {
    method: 'GET',
    path: '/api/schema/',
    summary: 'This document',
    statuses: [200],
    open: true,
    parameters: [{ name: 'scheme', in: 'query', description: 'Format of the answer', values: ['json', 'yaml'] }],
    async answer({ url }) {
      document ??= JSON.stringify(openapiDocument([...otherRoutes, schema]));
      if (url.searchParams.get('scheme') !== 'yaml') return staticText(document, 'application/vnd.oai.openapi+json');
      // Loaded on demand, because the start does not need it.
      const { stringify } = await import('yaml');
      inYaml ??= stringify(JSON.parse(document), { aliasDuplicateObjects: false });
      return staticText(inYaml, 'application/vnd.oai.openapi');
    },
  };
  const pages = ['/api/docs/', '/api/swagger/'].map((path) =>
    hidden(path, () => staticText(page, 'text/html; charset=utf-8')),
  );
  const script = hidden('/api/docs/start.js', () => staticText(startScript, 'text/javascript; charset=utf-8'));
  return [schema, ...pages, script, ...uiFiles.map(uiFile)];
}

function hidden(path: string, answer: PlainRoute['answer']): PlainRoute {
  return {
    method: 'GET',
    path,
    summary: 'Browsable API',
    statuses: [200],
    open: true,
    hidden: true,
    answer,
  };
}

function uiFile(name: string): PlainRoute {
  return hidden(`/api/docs/${name}`, async ({ raw }) => {
    const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
    const file = await fileContent(join(folder, name));
    return fileAnswer(raw, { ...file, contentType: contentTypeOf(name), cacheControl: 'no-cache' });
  });
}
