import { describe, expect, test } from 'vitest';
import { deploySchema } from '../../../../../../preload/contract/schema/functions.ts';
import {
  checkRequestOf,
  deployWays,
  emptyDraft,
  isComplete,
  requestOf,
  withoutCommonFolder,
  type DeployDraft,
} from '../../../../../../renderer/features/models/deploy/deploy-draft.ts';

const yaml = 'metadata:\n  name: x\n';
const drafts: Readonly<Record<(typeof deployWays)[number], DeployDraft>> = {
  handler: { ...emptyDraft, way: 'handler', directory: ' /functions/x ', baseImage: 'limner/base-python:latest' },
  build: { ...emptyDraft, way: 'build', directory: '/functions/x' },
  image: { ...emptyDraft, way: 'image', image: 'mine:1', configuration: yaml },
  archive: { ...emptyDraft, way: 'archive', archive: '/tmp/mine.tar.gz', configuration: yaml },
};

describe('the request to deploy', () => {
  test('matches the contract, for each of the four ways', () => {
    expect(deployWays.map((way) => isComplete(drafts[way]))).toEqual([true, true, true, true]);
    const requested = deployWays.map((way) => deploySchema.parse(requestOf(drafts[way])));
    expect(requested).toMatchObject([
      { way: 'handler', directory: '/functions/x', base_image: 'limner/base-python:latest' },
      { way: 'build', directory: '/functions/x' },
      { way: 'image', image: 'mine:1', configuration: yaml },
      { way: 'archive', archive: '/tmp/mine.tar.gz', configuration: yaml },
    ]);
    expect(requested[1]).not.toHaveProperty('configuration');
    expect(requested[0]).not.toHaveProperty('name');
  });

  test('accepts an image from an uploaded archive', () => {
    const draft: DeployDraft = { ...drafts.archive, archive: '', imported: ['sent:1'], image: 'sent:1' };
    expect(requestOf(draft)).toMatchObject({ way: 'image', image: 'sent:1' });
    expect(isComplete(draft)).toBe(true);
  });

  test('contains only given settings', () => {
    const draft: DeployDraft = {
      ...drafts.handler,
      name: 'other',
      workers: 3,
      cpu: '2',
      memory: '2Gi',
      gpus: 1,
      gpuMemoryMiB: 900,
      idleStopSeconds: 0,
      env: [
        { name: 'MODE', value: 'fast' },
        { name: ' ', value: 'nothing' },
      ],
      volumes: [
        { source: '/data', target: '/opt/data', readOnly: true },
        { source: '', target: '/opt', readOnly: false },
      ],
      grants: ['privileged'],
    };
    expect(deploySchema.parse(requestOf(draft))).toMatchObject({
      name: 'other',
      workers: 3,
      resource_limits: { cpu: '2', memory: '2Gi', 'nvidia.com/gpu': '1' },
      gpu_memory_mib: 900,
      idle_stop_seconds: 0,
      env: [{ name: 'MODE', value: 'fast' }],
      volumes: [{ source: '/data', target: '/opt/data', read_only: true }],
      grants: ['privileged'],
    });
    expect(requestOf(drafts.handler).resource_limits).toEqual({});
    expect(checkRequestOf(draft).grants).toEqual([]);
  });

  test('is not sent before the input is complete', () => {
    expect(isComplete(emptyDraft)).toBe(false);
    expect(isComplete({ ...drafts.image, configuration: ' ' })).toBe(false);
    expect(isComplete({ ...drafts.archive, archive: '' })).toBe(false);
    expect(isComplete({ ...drafts.handler, configuration: '' })).toBe(false);
    expect(isComplete({ ...emptyDraft, source: 'sample', sample: 'boxes' })).toBe(true);
  });
});

describe('files of a handler', () => {
  const files = [
    { path: 'function.yaml', base64: 'bWV0YQ==', sizeBytes: 4 },
    { path: 'weights.bin', base64: 'AAAA', sizeBytes: 3 },
  ];

  test('are relative to the selected folder', () => {
    expect(withoutCommonFolder([{ path: 'f/main.py' }, { path: 'f/lib/a.py' }])).toEqual([
      { path: 'main.py' },
      { path: 'lib/a.py' },
    ]);
    expect(withoutCommonFolder([{ path: 'main.py' }, { path: 'f/a.py' }])).toEqual([
      { path: 'main.py' },
      { path: 'f/a.py' },
    ]);
  });

  test('are sent completely for deployment, and without their contents for a check', () => {
    const draft: DeployDraft = { ...emptyDraft, source: 'files', files };
    expect(isComplete(draft)).toBe(true);
    expect(requestOf(draft).files).toEqual([
      { path: 'function.yaml', content: 'bWV0YQ==' },
      { path: 'weights.bin', content: 'AAAA' },
    ]);
    const looked = deploySchema.parse(checkRequestOf(draft));
    expect(looked.files?.map(({ content }) => content)).toEqual(['bWV0YQ==', '']);
  });

  test('without a configuration among them need one as text', () => {
    const draft: DeployDraft = { ...emptyDraft, source: 'files', files: files.slice(1) };
    expect(isComplete(draft)).toBe(false);
    expect(isComplete({ ...draft, configuration: yaml })).toBe(true);
  });
});
