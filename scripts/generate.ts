import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { locateApplication } from '../main/platform/application.ts';
import { apiSummary, servedDocument } from './api-summary.ts';
import { apiPage } from './reference/api.ts';
import { commandLinePage } from './reference/command-line.ts';
import { featuresFile, featuresPage } from './reference/features.ts';
import { formatsPage } from './reference/formats.ts';
import { functionYamlPage } from './reference/function-yaml.ts';
import { keysPage } from './reference/keys.ts';
import { environmentPage, settingsPage } from './reference/settings.ts';
import { staleIcons, writeIcons } from './render-icons.ts';
import { thirdPartyList } from './third-party-notices.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const reference = 'docs/reference';

/** Text files of the repository that are generated from others. */
async function generatedTexts(): Promise<Map<string, string>> {
  const api = await servedDocument(root);
  return new Map([
    ['resources/licences/packages.txt', thirdPartyList(root)],
    ['preload/contract/service-api.txt', apiSummary(api)],
    [`${reference}/features.md`, featuresPage(readFileSync(join(root, featuresFile), 'utf8'))],
    [`${reference}/formats.md`, formatsPage()],
    [`${reference}/command-line.md`, await commandLinePage(locateApplication(join(root, 'main'), 'cli.ts'))],
    [`${reference}/settings.md`, settingsPage()],
    [`${reference}/environment.md`, environmentPage()],
    [`${reference}/keys.md`, await keysPage(root)],
    [`${reference}/api.md`, apiPage(api)],
    [`${reference}/function-yaml.md`, functionYamlPage()],
  ]);
}

async function write(): Promise<void> {
  mkdirSync(join(root, reference), { recursive: true });
  for (const [name, text] of await generatedTexts()) writeFileSync(join(root, name), text);
  await writeIcons();
}

/** Names of generated files that no longer fit what they are made from, and of pages that nothing makes. */
async function stale(): Promise<string[]> {
  const texts = await generatedTexts();
  const changed = [...texts].filter(([name, text]) => {
    const file = join(root, name);
    return !existsSync(file) || readFileSync(file, 'utf8') !== text;
  });
  const extra = readdirSync(join(root, reference)).map((name) => `${reference}/${name}`);
  return [...changed.map(([name]) => name), ...extra.filter((name) => !texts.has(name)), ...(await staleIcons())];
}

if (process.argv.includes('--check')) {
  const names = await stale();
  for (const name of names) process.stderr.write(`${name} is out of date: run "npm run generate" and commit it.\n`);
  process.exitCode = names.length === 0 ? 0 : 1;
} else {
  await write();
}
