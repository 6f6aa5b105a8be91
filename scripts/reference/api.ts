import { accessTable, type AccessRow, type AccessTerms } from '../../main/users/access/access-table.ts';
import { cell, referencePage, table } from './page.ts';

interface Operation {
  readonly summary: string;
  readonly tags?: readonly string[];
  readonly security?: readonly object[];
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** Operations by their resource, and who may do what, from the OpenAPI document of a running service. */
export function apiPage(documentText: string): string {
  const { paths } = JSON.parse(documentText) as Document;
  const byResource = new Map<string, string[][]>();
  for (const [path, methods] of Object.entries(paths)) {
    const resource = resourceOf(path);
    const rows = byResource.get(resource) ?? [];
    byResource.set(resource, rows);
    for (const [method, { summary, security }] of Object.entries(methods)) {
      const access = security?.length === 0 ? 'everyone' : 'signed in';
      rows.push([method.toUpperCase(), `\`${path}\``, cell(summary), access]);
    }
  }
  return referencePage({
    title: 'API',
    order: 7,
    source: 'preload/contract/operations and main/users/access',
    parts: [
      "Limner answers CVAT's API on loopback addresses, and its own operations below `/api/limner`. A running Limner " +
        'shows the OpenAPI document at `/api/schema` and a page of all operations at `/api/swagger`.',
      'Sign in with a session (`POST /api/auth/login`), a token (`Authorization: Token …`), a personal access token ' +
        '(`Authorization: Bearer …`) or a password (`Authorization: Basic …`). Operations marked *everyone* need no sign-in.',
      ...[...byResource].flatMap(([resource, rows]) => [
        `## ${resource}`,
        table(['Method', 'Path', 'Operation', 'Access'], rows),
      ]),
      '## Access',
      'Administrators may do everything. Other users may do an action if one row of it applies to them. *Sandbox* means ' +
        'objects outside organizations.',
      ...Object.entries(accessTable).flatMap(([resource, rows]) => [
        `### Access: ${resource}`,
        table(
          ['Actions', 'Who', 'Where'],
          (rows as readonly AccessRow[]).map((row) => [
            row.actions.map((action) => `\`${action}\``).join(', '),
            row.who?.join(', ') ?? 'any',
            placesOf(row),
          ]),
        ),
      ]),
    ],
  });
}

const resourceOf = (path: string): string => {
  const [, , first = '', second = ''] = path.split('/');
  return first === 'limner' ? `limner/${second.replace(/[{}]/g, '')}` : first;
};

function placesOf({ sandbox, organization, outsider, anywhere, roles, settled }: AccessTerms): string {
  const places = [
    ...(anywhere ? [`anywhere, as ${anywhere}`] : []),
    ...(sandbox ? [`sandbox, as ${sandbox}`] : []),
    ...(organization ? [`organization, as ${organization[0]} and ${organization[1]} of it`] : []),
    ...(outsider ? [`organization, as ${outsider} who is not a member`] : []),
    ...(roles ? [`for the roles ${roles.join(', ')}`] : []),
    ...(settled ? ['after the invitation was accepted'] : []),
  ];
  return places.length === 0 ? 'administrators only' : places.join('; ');
}
