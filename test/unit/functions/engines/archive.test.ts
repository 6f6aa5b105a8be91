import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { extract } from 'tar-stream';
import { beforeEach, describe, expect, test } from 'vitest';
import { demultiplex, lineMessage } from '../../../../main/functions/engines/docker/container-log.ts';
import { createArchive } from '../../../../main/functions/engines/docker/handler-archive.ts';
import { readProgress } from '../../../../main/functions/engines/docker/images.ts';
import { Readable } from 'node:stream';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

async function entriesOf(archive: Readable) {
  const entries: {
    name: string;
    type: string | null | undefined;
    mode: string;
    text: string;
    link: string | null | undefined;
  }[] = [];
  const reader = extract();
  archive.pipe(reader);
  for await (const entry of reader) {
    const pieces: Buffer[] = [];
    for await (const piece of entry as AsyncIterable<Buffer>) pieces.push(piece);
    const { name, type, mode = 0, linkname } = entry.header;
    entries.push({ name, type, mode: mode.toString(8), text: Buffer.concat(pieces).toString(), link: linkname });
  }
  return entries;
}

describe('the archive of a handler', () => {
  test('contains its folder and additional files, readable by every user', async () => {
    mkdirSync(join(folder, 'lib'), { mode: 0o700 });
    writeFileSync(join(folder, 'main.py'), 'secret to others', { mode: 0o600 });
    writeFileSync(join(folder, 'lib', 'run.sh'), '#!/bin/sh', { mode: 0o600 });
    writeFileSync(join(folder, 'empty'), '');
    chmodSync(join(folder, 'lib', 'run.sh'), 0o700);
    const entries = await entriesOf(
      createArchive(
        [{ source: folder, place: 'opt/nuclio' }],
        [{ path: 'opt/nuclio/function.yaml', content: 'metadata: {}' }],
      ),
    );
    expect(entries.map(({ name, mode, text }) => [name, mode, text])).toEqual([
      ['opt/nuclio', '755', ''],
      ['opt/nuclio/empty', '644', ''],
      ['opt/nuclio/lib', '755', ''],
      ['opt/nuclio/lib/run.sh', '755', '#!/bin/sh'],
      ['opt/nuclio/main.py', '644', 'secret to others'],
      ['opt/nuclio/function.yaml', '644', 'metadata: {}'],
    ]);
  });

  test('excludes files that never belong to a function, and links that lead out of it', async () => {
    for (const name of ['.git', '__pycache__']) {
      mkdirSync(join(folder, name));
      writeFileSync(join(folder, name, 'x'), 'x');
    }
    writeFileSync(join(folder, 'real'), 'x');
    symlinkSync('real', join(folder, 'inside'));
    symlinkSync('/etc/shadow', join(folder, 'absolute'));
    symlinkSync('../../etc/shadow', join(folder, 'climbing'));
    const entries = await entriesOf(createArchive([{ source: folder, place: 'h' }], []));
    expect(entries.map(({ name, link }) => [name, link])).toEqual([
      ['h', null],
      ['h/inside', 'real'],
      ['h/real', null],
    ]);
    expect(JSON.stringify(entries)).not.toContain('shadow');
  });
});

describe('output of the Engine', () => {
  const frame = (text: string, stream = 1) => {
    const head = Buffer.alloc(8);
    head[0] = stream;
    head.writeUInt32BE(Buffer.byteLength(text), 4);
    return Buffer.concat([head, Buffer.from(text)]);
  };

  test('reads logs: frames in chunks of any size', async () => {
    const whole = Buffer.concat([frame('first\n'), frame('zweite Zeile ü\n', 2), frame('')]);
    for (const size of [1, 3, 7, 1000]) {
      const pieces = Array.from({ length: Math.ceil(whole.length / size) }, (_, index) =>
        whole.subarray(index * size, (index + 1) * size),
      );
      let text = '';
      for await (const piece of demultiplex(Readable.from(pieces))) text += piece;
      expect(text).toBe('first\nzweite Zeile ü\n');
    }
  });

  test('reads log records: the message for a sentence', () => {
    expect(lineMessage('{"level":"info","message":"ready"}')).toBe('ready');
    expect(lineMessage('{"no message"}')).toBe('{"no message"}');
    expect(lineMessage('plain')).toBe('plain');
  });

  test('finds the error of a failed build with a successful status', async () => {
    const lines = [
      '{"stream":"Step 1/2 : FROM base\\n"}',
      '{"stream":"Step 2/2 : RUN false\\n"}',
      '{"errorDetail":{"code":1,"message":"The command returned a non-zero code: 1"},"error":"x"}',
    ];
    const shown: string[] = [];
    const { problem } = await readProgress(
      Readable.from([lines.join('\r\n').slice(0, 40), lines.join('\r\n').slice(40)]),
      (line) => shown.push(line),
    );
    expect(problem).toBe('The command returned a non-zero code: 1');
    expect(shown).toEqual(['Step 1/2 : FROM base', 'Step 2/2 : RUN false', 'The command returned a non-zero code: 1']);
  });
});
