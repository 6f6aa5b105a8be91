export type Shell = 'unix' | 'windows';
export type Tool = 'cli' | 'sdk' | 'curl';

interface CommandLine {
  readonly step: 'install' | 'signIn' | 'use';
  readonly text: string;
}

interface Target {
  /** For example `http://127.0.0.1:8080`. */
  readonly address: string;
  readonly token: string;
  /** Slug of the active organization; empty for none. */
  readonly organization: string;
}

const exportToken: Record<Shell, (token: string) => string> = {
  unix: (token) => `export CVAT_ACCESS_TOKEN='${token}'`,
  windows: (token) => `$env:CVAT_ACCESS_TOKEN = '${token}'`,
};

const cli = ({ address, organization }: Target): string => {
  const start = `cvat-cli --server-host ${address}${organization === '' ? '' : ` --org ${organization}`}`;
  return [
    `${start} task ls`,
    `${start} task create "My task" --labels '[{"name": "car"}]' local photo.jpg`,
    `${start} task export-dataset --format "COCO 1.0" 1 dataset.zip`,
  ].join('\n');
};

const sdk = ({ address, organization }: Target): string =>
  [
    'import os',
    'from cvat_sdk import make_client',
    '',
    `with make_client("${address}", access_token=os.environ["CVAT_ACCESS_TOKEN"]) as client:`,
    ...(organization === '' ? [] : [`    client.organization_slug = "${organization}"`]),
    '    for task in client.tasks.list():',
    '        print(task.id, task.name)',
  ].join('\n');

const curl = ({ address, organization }: Target, shell: Shell): string => {
  const [program, variable] =
    shell === 'unix' ? ['curl', '$CVAT_ACCESS_TOKEN'] : ['curl.exe', '$env:CVAT_ACCESS_TOKEN'];
  const header = organization === '' ? '' : ` -H "X-Organization: ${organization}"`;
  return `${program} -H "Authorization: Bearer ${variable}"${header} ${address}/api/tasks`;
};

export function commandLines(tool: Tool, shell: Shell, target: Target): readonly CommandLine[] {
  const signIn = { step: 'signIn', text: exportToken[shell](target.token) } as const;
  if (tool === 'curl') return [signIn, { step: 'use', text: curl(target, shell) }];
  const [name, text] = tool === 'cli' ? ['cvat-cli', cli(target)] : ['cvat-sdk', sdk(target)];
  return [{ step: 'install', text: `pip install "${name}==2.73.*"` }, signIn, { step: 'use', text }];
}
