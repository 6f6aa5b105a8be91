import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CliContext } from '../../../main/cli/context.ts';
import { detectedFormat } from '../../../main/cli/import-source.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

function detect(content: string): { result: Promise<string | null>; notes: string[] } {
  const folder = temporaryFolder();
  const path = join(folder, 'data.zip');
  writeFileSync(path, content);
  const notes: string[] = [];
  const errorOutput = { write: (text: string) => notes.push(text) > 0 };
  // Only its folder of format plug-ins and its worker are used.
  const application = { workerUrl: new URL('../../../main/worker.ts', import.meta.url) };
  const context = { errorOutput, application } as unknown as CliContext;
  return { result: detectedFormat(context, { path, file: 'data.zip', dataDir: folder }), notes };
}

describe('the detected format of a file on the command line', () => {
  it('is named with its evidence, and with the alternatives', async () => {
    const { result, notes } = detect('{"version": "5.0", "shapes": [{"shape_type": "point"}], "imagePath": "a.jpg"}');
    expect(await result).toBe('labelme JSON 1.0');
    const said = notes.join('');
    expect(said).toContain('Format: labelme JSON 1.0 (detected');
    expect(said).toContain('data.zip is JSON about one image');
    expect(said).toContain('Other possible formats:\n  X-AnyLabeling JSON 1.0: ');
  });

  it('is requested if it is ambiguous, with the candidates', async () => {
    const { result } = detect('<annotation><filename>a.jpg</filename></annotation>');
    await expect(result).rejects.toThrow(/--format:\n {2}PASCAL VOC 1\.1: .*\n {2}LabelMe 3\.0: /);
  });

  it('is unknown without evidence for any', async () => {
    expect(await detect('hello').result).toBe(null);
  });
});
