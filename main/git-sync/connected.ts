import type { GitBinding, GitPushWrite } from '../../preload/contract/schema/git.ts';
import type { Actor } from '../users/access/actor.ts';
import type { SshKeys } from '../users/ssh-keys/ssh-keys.ts';
import type { GitConnection } from './git-program.ts';
import { parseRemoteAddress } from './remote-address.ts';
import { randomBytes, sign } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OpenedKey } from '../users/ssh-keys/open-ssh.ts';

export type Connected = ReturnType<typeof createConnected>;

/** Opens a connection to a remote for one operation, with the user's SSH key if needed. */
export function createConnected({ knownHosts, sshKeys }: { readonly knownHosts: string; readonly sshKeys: SshKeys }) {
  return async function connected<Result>(
    actor: Actor,
    binding: Pick<GitBinding, 'address'>,
    { key_id: keyId, passphrase }: Pick<GitPushWrite, 'key_id' | 'passphrase'>,
    use: (connection: GitConnection) => Promise<Result>,
  ): Promise<Result> {
    const address = parseRemoteAddress(binding.address);
    const connection = { address, knownHosts, agent: null };
    if (address.kind === 'folder') return use(connection);
    return withKeyAgent(await sshKeys.open(actor, keyId, passphrase), (agent) => use({ ...connection, agent }));
  };
}

/**
 * Offers one key to this computer's `ssh` as an ssh-agent: `ssh` requests signatures and the key stays in this process.
 * The socket is in a folder that only this user may enter.
 */
async function withKeyAgent<Result>(key: OpenedKey, use: (socket: string) => Promise<Result>): Promise<Result> {
  const folder = process.platform === 'win32' ? null : await mkdtemp(join(tmpdir(), 'limner-agent-'));
  const socket = folder ? join(folder, 'agent') : `\\\\.\\pipe\\limner-agent-${randomBytes(16).toString('hex')}`;
  const server = serve(key);
  try {
    server.listen(socket);
    await once(server, 'listening');
    return await use(socket);
  } finally {
    server.close();
    if (folder) await rm(folder, { recursive: true, force: true });
  }
}

/** Supported messages of draft-ietf-sshm-ssh-agent; others are answered with a failure, as required. */
const messages = { failure: 5, askIdentities: 11, identities: 12, askSignature: 13, signature: 14 };
const rsaFlags = [
  [2, 'sha256', 'rsa-sha2-256'],
  [4, 'sha512', 'rsa-sha2-512'],
] as const;
const maxMessage = 256 * 1024;

function serve(key: OpenedKey): Server {
  return createServer((connection) => {
    let waiting: Buffer = Buffer.alloc(0);
    connection.on('error', () => connection.destroy());
    connection.on('data', (chunk) => {
      waiting = Buffer.concat([waiting, chunk]);
      while (waiting.length >= 4) {
        const length = waiting.readUInt32BE(0);
        if (length > maxMessage) return void connection.destroy();
        if (waiting.length < 4 + length) return;
        connection.write(stringOf(answer(key, waiting.subarray(4, 4 + length))));
        waiting = waiting.subarray(4 + length);
      }
    });
  });
}

function answer(key: OpenedKey, message: Buffer): Buffer {
  const kind = message[0];
  const blob = key.getPublicSSH();
  if (kind === messages.askIdentities) {
    const count = Buffer.from([0, 0, 0, 1]);
    return Buffer.concat([
      Buffer.from([messages.identities]),
      count,
      stringOf(blob),
      stringOf(Buffer.from(key.comment)),
    ]);
  }
  if (kind === messages.askSignature) {
    const wanted = stringAt(message, 1);
    const data = wanted && stringAt(message, 1 + 4 + wanted.length);
    if (data && wanted.equals(blob)) return signed(key, data, message.readUInt32BE(message.length - 4));
  }
  return Buffer.from([messages.failure]);
}

function signed(key: OpenedKey, data: Buffer, flags: number): Buffer {
  const [, hash, algorithm] =
    (key.type === 'ssh-rsa' ? rsaFlags.find(([flag]) => (flags & flag) !== 0) : undefined) ??
    ([0, undefined, key.type] as const);
  const signature = key.type.startsWith('ecdsa-') ? signedByCurve(key, data) : key.sign(data, hash);
  if (signature instanceof Error) return Buffer.from([messages.failure]);
  const whole = Buffer.concat([stringOf(Buffer.from(algorithm)), stringOf(signature)]);
  return Buffer.concat([Buffer.from([messages.signature]), stringOf(whole)]);
}

/** For ECDSA, SSH requires two separate numbers (RFC 5656), each without leading zeros and not negative. */
function signedByCurve(key: OpenedKey, data: Buffer): Buffer {
  const hash = { nistp256: 'sha256', nistp384: 'sha384' }[key.type.split('-').at(-1) ?? ''] ?? 'sha512';
  const both = sign(hash, data, { key: key.getPrivatePEM(), dsaEncoding: 'ieee-p1363' });
  const number = (bytes: Buffer): Buffer => {
    const start = bytes.findIndex((byte) => byte !== 0);
    const digits = bytes.subarray(Math.max(0, start));
    return stringOf((digits[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.from([0]), digits]) : digits);
  };
  return Buffer.concat([number(both.subarray(0, both.length / 2)), number(both.subarray(both.length / 2))]);
}

/** SSH's `string`: a length of four bytes, then the bytes. */
function stringOf(bytes: Uint8Array): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

function stringAt(message: Buffer, at: number): Buffer | null {
  if (at + 4 > message.length) return null;
  const end = at + 4 + message.readUInt32BE(at);
  return end > message.length ? null : message.subarray(at + 4, end);
}
