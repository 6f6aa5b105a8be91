import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { apiSummary } from './api-summary.ts';
import { withFormatTable } from './format-table.ts';
import { staleIcons, writeIcons } from './render-icons.ts';
import { thirdPartyList } from './third-party-notices.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Text files of the repository that are generated from others. */
async function generatedTexts(): Promise<Map<string, string>> {
  return new Map([
    ['resources/licences/packages.txt', thirdPartyList(root)],
    ['preload/contract/service-api.txt', await apiSummary(root)],
    ['docs/formats.md', withFormatTable(readFileSync(join(root, 'docs', 'formats.md'), 'utf8'))],
  ]);
}

async function write(): Promise<void> {
  for (const [name, text] of await generatedTexts()) writeFileSync(join(root, name), text);
  await writeIcons();
}

async function stale(): Promise<string[]> {
  const texts = [...(await generatedTexts())].filter(([name, text]) => {
    const file = join(root, name);
    return !existsSync(file) || readFileSync(file, 'utf8') !== text;
  });
  return [...texts.map(([name]) => name), ...(await staleIcons())];
}

if (process.argv.includes('--check')) {
  const names = await stale();
  for (const name of names) process.stderr.write(`${name} is out of date: run "npm run generate" and commit it.\n`);
  process.exitCode = names.length === 0 ? 0 : 1;
} else {
  await write();
}
