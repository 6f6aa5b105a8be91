import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { repository } from './paths.ts';

interface Finding {
  readonly id: string;
  readonly impact: string;
  readonly tags: readonly string[];
  readonly nodes: readonly {
    readonly html: string;
    readonly failureSummary: string;
    readonly target: readonly string[];
  }[];
}
interface Axe {
  run(options: object): Promise<{ violations: Finding[] }>;
}

const axeSource = readFileSync(join(repository, 'node_modules/axe-core/axe.min.js'), 'utf8');

/** Best-practice rules that are checked besides those of the standard. */
const importRules = [
  'aria-required-children',
  'button-name',
  'landmark-main-is-top-level',
  'landmark-one-main',
  'landmark-unique',
  'page-has-heading-one',
  'region',
];

type Rules = { readonly type: 'tag' | 'rule'; readonly values: readonly string[] };
export const everyRule: Rules = { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'] };
export const ofColours: Rules = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };

/** Breaches of the accessibility rules (contrast, names, roles, landmarks) on screen, one line each. */
export async function breaches(page: Page, rules = everyRule): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource);
  const judge = async ([extra, runOnly]: readonly [readonly string[], Rules]): Promise<Finding[]> => {
    const { axe } = window as unknown as { axe: Axe };
    // Passed rules are counted without details, because details took a third of the time.
    const found = (await axe.run({ runOnly, resultTypes: ['violations'] })).violations;
    // Tooltips, menus and notifications float over the page and are in no landmark.
    const floats = (target: string | undefined): boolean =>
      target !== undefined && document.querySelector(target)?.closest('[data-portal], [role="tooltip"]') !== null;
    const isGrave = ({ impact }: Finding): boolean => impact === 'serious' || impact === 'critical';
    return found
      .filter((finding) => isGrave(finding) || extra.includes(finding.id) || !finding.tags.includes('best-practice'))
      .map((finding) => ({
        ...finding,
        nodes: finding.nodes.filter(({ target }) => finding.id !== 'region' || !floats(target[0])),
      }));
  };
  const violations = await page.evaluate(judge, [importRules, rules] as const);
  return violations.flatMap((finding) =>
    finding.nodes.map((node) => `${finding.id}: ${node.html.slice(0, 160)} ${node.failureSummary}`),
  );
}

/** Resolves when no transition of a colour or position is running. Endless animations are ignored. */
export async function colorsAtRest(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await new Promise(requestAnimationFrame);
    const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(ending.map(({ finished }) => finished));
  });
}

export async function breachesInBothThemes(page: Page): Promise<string[]> {
  // Screens load their code when opened. The page is ready once its heading exists.
  await page.locator('h1').first().waitFor({ state: 'attached' });
  const found: string[] = [];
  for (const [colorScheme, rules] of [
    ['dark', everyRule],
    ['light', ofColours],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await colorsAtRest(page);
    found.push(...(await breaches(page, rules)));
  }
  return found;
}
