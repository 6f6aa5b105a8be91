import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ConfigurationError } from '../../../../main/functions/configuration/configuration-error.ts';
import { parseConfigurationDocument } from '../../../../main/functions/configuration/parse-configuration.ts';
import { findPermissions, MissingGrants, requireGrants } from '../../../../main/functions/policy/permissions.ts';
import { sharedFolder } from '../../../support/temporary-folder.ts';

const home = sharedFolder();
const handler = join(home, 'handler');
mkdirSync(join(handler, 'weights'), { recursive: true });
mkdirSync(join(home, 'elsewhere'));
writeFileSync(join(home, 'docker.sock'), '');
symlinkSync(join(home, 'elsewhere'), join(handler, 'innocent'));
symlinkSync(join(home, 'docker.sock'), join(handler, 'cache'));

const spec = (value: object, metadata: object = {}) => ({ metadata: { name: 'f', ...metadata }, spec: value });
const volume = (path: string, mountPath = '/data', readOnly = false) =>
  spec({
    volumes: [{ volume: { name: 'v', hostPath: { path } }, volumeMount: { name: 'v', mountPath, readOnly } }],
  });
const platform = (attributes: object) => spec({ platform: { attributes } });
const context = (securityContext: object) => spec({ securityContext });
const directive = (kind: string, value: string) => spec({ build: { directives: { preCopy: [{ kind, value }] } } });
const trigger = (attributes: object) => spec({ triggers: { http: { kind: 'http', attributes } } });

/**
 * Attack of a hostile configuration, its document, and the permissions that the owner would have to grant; null if
 * nothing permits it.
 */
const hostile: readonly (readonly [string, () => object, readonly RegExp[] | null])[] = [
  ['mount the socket of the Engine', () => volume(join(home, 'docker.sock')), [/^volume:.*docker\.sock:rw$/]],
  ['mount the whole file system', () => volume('/'), [/^volume:\/:rw$/]],
  ['read the whole file system', () => volume('/', '/data', true), [/^volume:\/:ro$/]],
  ['mount the settings of the system', () => volume('/etc'), [/^volume:.*etc:rw$/]],
  ['mount a folder beside its own', () => volume(join(home, 'elsewhere')), [/elsewhere:rw$/]],
  ['climb out of its folder', () => volume(join(handler, 'weights', '..', '..', 'elsewhere')), [/elsewhere:rw$/]],
  ['hide a folder behind a link of its own', () => volume(join(handler, 'innocent')), [/elsewhere:rw$/]],
  ['hide the socket behind a link of its own', () => volume(join(handler, 'cache')), [/docker\.sock:rw$/]],
  ['mount its parent folder', () => volume(home), [/^volume:/]],
  ['name its own folder as a whole', () => volume(handler), [/^volume:/]],
  ['use a relative path', () => volume('../../etc'), null],
  ['cover the files of the runtime', () => volume(handler, '/opt/limner'), null],
  ['cover the kernel files', () => volume(handler, '/proc/sys'), null],
  ['cover the whole container', () => volume(handler, '/opt/..'), null],
  ['add a second mount by a colon', () => volume(handler, '/data:ro,/etc:/etc'), null],
  ['run privileged', () => platform({ privileged: true }), [/^privileged$/]],
  ['run privileged by its security context', () => context({ privileged: true }), [/^privileged$/]],
  ['run as root', () => context({ runAsUser: 0 }), [/^user:0$/]],
  ['gain rights', () => context({ allowPrivilegeEscalation: true }), [/^new-privileges$/]],
  ['be in the group of root', () => context({ runAsGroup: 0 }), [/^group:0$/]],
  ['be in the group of the disks', () => context({ supplementalGroups: [0, 6] }), [/^group:0$/, /^group:6$/]],
  ['own its files by the group of the Engine', () => context({ fsGroup: 998 }), [/^group:998$/]],
  ['name a group that is none', () => context({ supplementalGroups: ['disk'] }), null],
  ['run what it writes', () => platform({ executableTmp: true }), [/^executable-tmp$/]],
  ['load a library into every program', () => spec({ env: [{ name: 'LD_PRELOAD', value: '/x.so' }] }), [/LD_PRELOAD$/]],
  ['look into every program', () => spec({ env: [{ name: 'LD_AUDIT', value: '/x.so' }] }), [/^variable:LD_AUDIT$/]],
  ['ask for devices by a variable', () => spec({ env: [{ name: 'NVIDIA_GDS', value: '1' }] }), [/NVIDIA_GDS$/]],
  ['write to its image', () => context({ readOnlyRootFilesystem: false }), [/^writable-root$/]],
  ['add a capability', () => context({ capabilities: { add: ['SYS_ADMIN'] } }), [/^capability:SYS_ADMIN$/]],
  [
    'add a capability in the words of compose',
    () => platform({ cap_add: ['CAP_NET_ADMIN', 'ALL'] }),
    [/NET_ADMIN/, /ALL/],
  ],
  ['use a device', () => spec({ devices: ['/dev/kmsg'] }), [/^device:\/dev\/kmsg$/]],
  ['use a disk with a second name', () => spec({ devices: ['/dev/sda:/dev/x:rwm'] }), [/^device:\/dev\/sda/]],
  ['use a device outside of /dev', () => spec({ devices: ['/dev/../etc/shadow'] }), null],
  ['use the network of the host', () => platform({ network: 'host' }), [/^network:host$/]],
  ['use the network of the host as a pod', () => spec({ hostNetwork: true }), [/^network:host$/]],
  ['reach the internet by the default bridge', () => platform({ network: 'bridge' }), [/^network:bridge$/]],
  [
    'join the network of another container',
    () => platform({ networkMode: 'container:vault' }),
    [/^network:container:vault$/],
  ],
  ['see the processes of the host', () => spec({ hostPID: true }), [/^pid:host$/]],
  ['see the processes of the host in the words of docker', () => platform({ pid: 'host' }), [/^pid:host$/]],
  ['share the memory of the host', () => spec({ hostIPC: true }), [/^ipc:host$/]],
  ['leave the user namespace', () => platform({ userns: 'host' }), [/^userns:host$/]],
  ['drop the system call filter', () => context({ seccompProfile: { type: 'Unconfined' } }), [/seccomp=unconfined/]],
  ['drop the profile in the words of docker', () => platform({ security_opt: ['apparmor=unconfined'] }), [/apparmor/]],
  ['listen on every address', () => trigger({ hostIP: '0.0.0.0' }), [/^address:0\.0\.0\.0$/]],
  ['listen on every address of IPv6', () => trigger({ host: '::' }), [/^address:::$/]],
  ['take the port of a system service', () => trigger({ port: 22 }), [/^port:22$/]],
  [
    'take every card by a variable',
    () => spec({ env: [{ name: 'NVIDIA_VISIBLE_DEVICES', value: 'all' }] }),
    [/^variable:NVIDIA/],
  ],
  ['set a variable of the runtime', () => spec({ env: [{ name: 'LIMNER_HANDLER', value: 'x' }] }), null],
  ['smuggle a second variable', () => spec({ env: [{ name: 'A=1\nB', value: 'x' }] }), null],
  ['pass an option as an image', () => spec({ image: '--privileged' }), null],
  ['pass an option as a base image', () => spec({ build: { baseImage: 'ubuntu --platform=x' } }), null],
  ['begin another build stage', () => directive('FROM', 'evil'), null],
  ['begin another build stage behind a line break', () => directive('RUN', 'true\nFROM evil'), null],
  ['hide a line break in a kind', () => directive('RUN true\nFROM', 'evil'), null],
  ['escape from its folder by the handler', () => spec({ handler: '../../etc/cron:handler' }), null],
  ['take a name that is a path', () => spec({}, { name: '../../etc' }), null],
  ['pretend to be another function of Limner', () => spec({}, { labels: { 'app.limner.function': 'other' } }), null],
  ['fetch its sources', () => spec({ build: { path: 'https://example.com/evil.zip' } }), null],
];

test('there are more than forty hostile configurations', () => expect(hostile.length).toBeGreaterThanOrEqual(40));

describe('a malicious configuration is refused until the owner grants exactly its permissions', () => {
  test.each(hostile)('%s', async (_what, document, wanted) => {
    if (wanted === null) {
      expect(() => parseConfigurationDocument(document())).toThrow(ConfigurationError);
      return;
    }
    const { configuration } = parseConfigurationDocument(document());
    const demands = await findPermissions({ configuration, handlerDirectory: handler });
    expect(demands).toHaveLength(wanted.length);
    for (const [index, pattern] of wanted.entries()) expect(demands[index]?.id).toMatch(pattern);
    expect(() => requireGrants('f', demands, [])).toThrow(MissingGrants);
    expect(() => requireGrants('f', demands, ['privileged-x', 'volume:/other:rw'])).toThrow(MissingGrants);
    expect(() =>
      requireGrants(
        'f',
        demands,
        demands.map(({ id }) => id),
      ),
    ).not.toThrow();
    for (const { message } of demands) expect(message).toMatch(/^[A-Z].{15,}\.$/);
  });
});

describe('a harmless configuration', () => {
  const permissionsOf = (document: object) =>
    findPermissions({ configuration: parseConfigurationDocument(document).configuration, handlerDirectory: handler });

  test('needs no permission', async () => {
    expect(await permissionsOf(spec({ handler: 'main:handler' }))).toEqual([]);
  });

  test('may mount its own folder', async () => {
    expect(await permissionsOf(volume(join(handler, 'weights')))).toEqual([]);
  });

  test('may name a free port and the loopback address', async () => {
    expect(await permissionsOf(trigger({ port: 32_001, hostIP: '127.0.0.1' }))).toEqual([]);
  });

  test('names a missing volume', async () => {
    await expect(permissionsOf(volume(join(home, 'nothing')))).rejects.toThrow(/uses .*nothing, which does not exist/);
  });
});

test('needs no permission for groups of users and for no network', async () => {
  const document = {
    metadata: { name: 'f' },
    spec: {
      securityContext: { runAsUser: 1000, runAsGroup: 1000, fsGroup: 2000 },
      platform: { attributes: { network: 'none' } },
    },
  };
  const { configuration } = parseConfigurationDocument(document);
  expect(await findPermissions({ configuration, handlerDirectory: null })).toEqual([]);
});
