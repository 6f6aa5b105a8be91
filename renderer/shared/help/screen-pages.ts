/** Screens and their Help pages (docs/, without `.md`). `*` matches one part of an address. The first match wins. */
export const screenPages = [
  ['/tasks/*/jobs', 'guide/workspace'],
  ['/tasks/new', 'guide/first-task'],
  ['/tasks', 'guide/first-task'],
  ['/projects', 'guide/first-task'],
  ['/jobs', 'guide/review'],
  ['/models/batches', 'guide/batches'],
  ['/models', 'guide/models'],
  ['/evaluations', 'guide/evaluation'],
  ['/webhooks', 'guide/webhooks'],
  ['/analytics', 'guide/administration'],
  ['/organizations', 'guide/administration'],
  ['/settings/backup', 'guide/backup'],
  ['/settings/storage', 'guide/backup'],
  ['/settings/ssh-keys', 'guide/git'],
  ['/settings/shortcuts', 'reference/keys'],
  ['/settings/api-access', 'reference/api'],
  ['/settings', 'guide/administration'],
  ['/requests', 'guide/import'],
] as const;

/** Help page of a screen's address; undefined for the first page. */
export function helpPageOf(address: string): string | undefined {
  const parts = address.split('/');
  const fits = (pattern: string) => pattern.split('/').every((part, index) => part === '*' || part === parts[index]);
  const page = screenPages.find(([pattern]) => fits(pattern))?.[1];
  return page && `${page}.html`;
}
