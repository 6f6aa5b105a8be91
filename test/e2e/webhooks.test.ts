import { describe, expect, it } from 'vitest';
import { breachesInBothThemes } from './support/accessibility.ts';
import { useWorkbench } from './support/workbench.ts';

let webhookAddress = '';

const { page, service, context } = await useWorkbench();
await context.grantPermissions(['clipboard-read', 'clipboard-write']);
const project = await service.makeProject('Street signs');
const jobs = await service.jobsOf(
  await service.makeTask('crossing', { images: 4, segment_size: 2, project_id: project }),
);

const list = () => page.getByRole('listbox', { name: /^(Attempts|Requests)$/ });
const row = (text: string | RegExp) => list().getByRole('option').filter({ hasText: text });
const waitRows = (count: number) =>
  page.waitForFunction(
    (wanted) => document.querySelectorAll('[aria-label="Attempts"] [role="option"]').length === wanted,
    count,
  );
const detail = () => page.getByTestId('delivery-detail');
const openReceiver = () => page.goto('/webhooks/receiver');

async function setState(job: number | undefined, state: string): Promise<void> {
  await page.goto('/jobs');
  const item = page.getByRole('listitem').filter({ hasText: `Job ${job}` });
  await item.getByRole('combobox', { name: 'State' }).click();
  await page.getByRole('option', { name: state, exact: true }).click();
  await item
    .getByRole('combobox', { name: 'State' })
    .and(page.locator(`[value="${state}"]`))
    .waitFor();
}

async function answerWith(status: string): Promise<void> {
  await openReceiver();
  await page.getByRole('combobox', { name: 'Response' }).click();
  await Promise.all([
    page.waitForResponse((answer) => answer.request().method() === 'PATCH' && answer.ok()),
    page.getByRole('option', { name: status }).click(),
  ]);
}

describe('the webhook manager', () => {
  it('creates a signed webhook of a project for the built-in receiver', async () => {
    await page.getByRole('link', { name: 'Webhooks' }).click();
    await page.getByText('No webhooks yet').waitFor();
    await page.getByRole('button', { name: 'New webhook' }).click();
    await page.getByRole('button', { name: 'Use test receiver' }).click();
    await page.waitForFunction(() =>
      /^http:\/\/127\.0\.0\.1:\d+\/$/.test(document.querySelector<HTMLInputElement>('form input')?.value ?? ''),
    );
    await page.getByLabel('Description').fill('Tells about jobs');
    await page.getByRole('combobox', { name: 'Project' }).click();
    await page.getByRole('option', { name: 'Street signs' }).click();
    await page.getByRole('button', { name: 'Generate' }).click();
    await page.getByRole('radio', { name: 'Select individual events' }).check();
    await page.getByText('No events selected').waitFor();
    await page.getByRole('checkbox', { name: 'update:job' }).check();
    await page.getByRole('checkbox', { name: 'Comments' }).check();
    await page.getByText('4 of 21 selected').waitFor();
    await page.getByRole('checkbox', { name: 'Comments' }).uncheck();
    expect(await breachesInBothThemes(page)).toEqual([]);
    await page.getByRole('button', { name: 'Create webhook' }).click();
    await page.waitForURL(/\/webhooks\/\d+$/);
    webhookAddress = page.url();
    await page.getByText('Project “Street signs” · Tells about jobs').waitFor();
    await page.getByText('No deliveries yet').waitFor();
  });

  it('pings with the result at once, and shows the sent request', async () => {
    await page.getByRole('button', { name: 'Ping' }).click();
    await page.getByText(/^Ping delivered: 200 in \d+(\.\d+)? m?s\.$/).waitFor();
    await page.getByRole('button', { name: 'Show request and response' }).click();
    await detail().getByText('X-Signature-256').waitFor();
    await detail().getByRole('region', { name: 'Body' }).getByText('"ping"').waitFor();
    await detail().getByRole('tab', { name: 'Response' }).click();
    await detail().getByText('HTTP 200').waitFor();
    await detail().getByRole('region', { name: 'Body' }).getByText('"valid"').waitFor();
    await detail().getByRole('button', { name: 'Copy as curl' }).click();
    const curl = await page.evaluate(() => navigator.clipboard.readText());
    expect(curl).toMatch(/^curl .*-H 'X-Signature-256: sha256=[0-9a-f]{64}'.*--data-raw '\{"event": "ping"/);
    expect(await breachesInBothThemes(page)).toEqual([]);
  });

  it('delivers the change of a job, and the built-in receiver verifies its signature', async () => {
    await setState(jobs[0], 'In progress');
    await openReceiver();
    await row('update:job').getByText('Signature verified').waitFor();
    await row('ping').getByText('Signature verified').waitFor();
    await row('update:job').click();
    const received = page.getByTestId('received-detail');
    await expect
      .poll(() => received.getByText('The signature matches the body and the webhook secret.').count())
      .toBe(2);
    await received.getByRole('region', { name: 'Body' }).getByText('"in progress"').first().waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);
    await page.goto(webhookAddress);
    await row('update:job').getByText('200', { exact: true }).waitFor();
    await row('update:job').click();
    await detail().getByText('Event delivered.').waitFor();
    await detail().getByText('Changed: state').waitFor();
  });

  it('shows the retries of a failing receiver, and delivers on a manual retry', async () => {
    await answerWith('500 Internal Server Error');
    await setState(jobs[1], 'Completed');
    await page.goto(webhookAddress);
    await row('update:job').filter({ hasText: '500' }).first().click();
    await detail().getByText('Next attempt').waitFor();
    await page.getByTestId('count-waiting').getByText('1', { exact: true }).waitFor();
    await row('attempt 2').filter({ hasText: '500' }).waitFor();
    await row('attempt 2').click();
    await detail().getByText('Next attempt in 5 minutes').waitFor();

    await answerWith('200 OK');
    await page.goto(`${webhookAddress}?tab=queue`);
    const waiting = page.getByRole('listitem').filter({ hasText: 'update:job' });
    await waiting.getByText('2 attempts').waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);
    await waiting.getByRole('button', { name: 'Retry now' }).click();
    await page.getByText('The queue is empty. All events were sent.').waitFor();
    await page.goto(webhookAddress);
    await row('attempt 3').getByText('200', { exact: true }).waitFor();
    await row('attempt 3').click();
    await detail().getByRole('button', { name: 'All attempts of this event' }).click();
    await page.waitForURL(/message=/);
    await waitRows(3);
  });

  it('sends one delivery again, and all failed ones', async () => {
    await page.goto(webhookAddress);
    await row('attempt 3').click();
    await detail().getByRole('button', { name: 'Redeliver' }).click();
    await row('redelivered').getByText('200', { exact: true }).waitFor();
    await openReceiver();
    await row('repeat').first().click();
    await page.getByText('A request with the same webhook-id arrived earlier').waitFor();

    await answerWith('400 Bad Request');
    await setState(jobs[1], 'Rejected');
    await page.goto(webhookAddress);
    await page.getByTestId('count-failed').getByText('1', { exact: true }).waitFor();
    await answerWith('204 No Content');
    await page.goto(webhookAddress);
    await page.getByRole('button', { name: 'Redeliver all failed' }).click();
    await page.getByText('1 event is redelivered.').waitFor();
    await page.getByTestId('count-failed').getByText('0', { exact: true }).waitFor();
    await row('redelivered').getByText('204').waitFor();
  });

  it('filters the log by event, outcome and attempt', async () => {
    const choose = async (filter: string, option: string): Promise<void> => {
      await page.getByRole('combobox', { name: filter }).click();
      await page.getByRole('option', { name: option, exact: true }).click();
    };
    const codes = () =>
      row(/this minute|minute ago|minutes ago/).evaluateAll((all) => all.map((one) => one.textContent.slice(0, 3)));
    await choose('Result', 'Failed');
    await page.waitForURL(/outcome=bad/);
    await row('200').first().waitFor({ state: 'detached' });
    expect((await codes()).toSorted()).toEqual(['400', '500', '500']);
    await choose('Attempt type', 'Retries');
    await waitRows(1);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await choose('Event', 'ping');
    await waitRows(1);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await row('redelivered').first().waitFor();
    await row(/./).first().focus();
    await page.keyboard.press('ArrowDown');
    await page.waitForURL(/delivery=\d+/);
  });

  it('shows why it switched a webhook off, and switches it on again', async () => {
    await answerWith('410 Gone');
    await setState(jobs[0], 'Completed');
    await page.goto(webhookAddress);
    await page.getByText('Limner turned this webhook off').waitFor();
    await expect.poll(() => page.getByRole('switch', { name: 'Active' }).isChecked()).toBe(false);
    await page.getByRole('button', { name: 'Turn on again' }).click();
    await page.getByText('Webhook turned on.').waitFor();
    await page.getByText('Limner turned this webhook off').waitFor({ state: 'detached' });
    await answerWith('200 OK');
  });

  it('changes its fields, and never shows the secret', async () => {
    await page.goto(`${webhookAddress}?tab=configuration`);
    await expect.poll(() => page.getByLabel('Secret', { exact: true }).inputValue()).toBe('');
    await page.getByText('A secret is set.').waitFor();
    await page.getByRole('button', { name: 'Generate' }).click();
    await page.getByText('For one day').waitFor();
    await page.getByLabel('Target URL').fill('ftp://example.org');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Enter a valid URL that begins with http:// or https://.').waitFor();
    await openReceiver();
    const url = await page.getByText(/^http:\/\/127/).textContent();
    await page.goto(`${webhookAddress}?tab=configuration`);
    await page.getByLabel('Target URL').fill(url ?? '');
    await page.getByRole('checkbox', { name: 'Remove secret' }).check();
    await page.getByRole('radio', { name: 'Send everything' }).check();
    expect(await breachesInBothThemes(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Webhook saved.').waitFor();
    await page.getByText('No secret set').waitFor();
    await page.getByRole('button', { name: 'Ping' }).click();
    await page.getByText(/^Ping delivered: 200/).waitFor();
    await openReceiver();
    await row('ping').getByText('Not signed').waitFor();
  });

  it('lists webhooks with their last status, and refuses disabled addresses', async () => {
    await page.goto('/webhooks');
    const item = page.getByRole('listitem').filter({ hasText: 'Tells about jobs' });
    await item.getByText('200', { exact: true }).waitFor();
    await item.getByText('All events').waitFor();
    expect(await breachesInBothThemes(page)).toEqual([]);
    await page.getByRole('button', { name: 'More' }).first().click();
    await page.getByRole('menuitem', { name: 'Webhook targets' }).click();
    const loopback = page.getByRole('dialog').getByRole('switch', { name: 'This computer' });
    await loopback.click();
    await expect.poll(() => loopback.isChecked()).toBe(false);
    await page.keyboard.press('Escape');
    await item.getByRole('button', { name: 'Ping' }).click();
    await page.getByText('Ping failed: 502').waitFor();
    await item.getByText('502', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'More' }).first().click();
    await page.getByRole('menuitem', { name: 'Webhook targets' }).click();
    await loopback.click();
    await expect.poll(() => loopback.isChecked()).toBe(true);
    await page.keyboard.press('Escape');
  });

  it('deletes after a confirmation, and stops the receiver', async () => {
    await page.goto(webhookAddress);
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Delete webhook' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No webhooks yet').waitFor();
    await openReceiver();
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByText('Waiting for requests').waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Stop' }).click();
    await page.getByText('The test receiver is not running').waitFor();
  });
});
