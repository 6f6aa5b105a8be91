import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseConfigurationText } from '../../../main/functions/configuration/parse-configuration.ts';
import { describeModel, type ModelKind } from '../../../main/functions/configuration/model-description.ts';
import { createDockerHarness, pythonBase, type DockerHarness } from '../../support/functions/docker-harness.ts';
import { createOwnEngine, withSocket } from '../../support/functions/test-engine.ts';
import { projectRoot } from '../../support/node-executable.ts';

const fixtures = join(projectRoot, '..', 'shared', 'fixtures', 'functions');

/** Answers of functions of each kind, in the style of CVAT's handlers. */
const answers: Readonly<Record<ModelKind, string>> = {
  detector: '[{"confidence": "0.9", "label": "unknown", "points": [0, 0, 1, 1], "type": "rectangle"}]',
  interactor: '{"mask": [[0, 255], [255, 0]]}',
  tracker: '{"shapes": [[0, 0, 1, 1]], "states": [{"step": 1}]}',
  reid: '[0, -1]',
};
const requests: Readonly<Record<ModelKind, object>> = {
  detector: { image: 'AAAA' },
  interactor: { image: 'AAAA', pos_points: [[1, 1]], neg_points: [], obj_bbox: null },
  tracker: { image: 'AAAA', shapes: [[0, 0, 1, 1]], states: [] },
  reid: { image0: 'AAAA', image1: 'AAAA', boxes0: [{}, {}], boxes1: [{}] },
};
const stub = (kind: ModelKind) => `
import base64
import json

def init_context(context):
    context.logger.info("Init context...  0%")
    with open("/opt/nuclio/function.yaml", "rb") as file:
        context.user_data.configuration = file.read().decode("utf-8")
    context.logger.info("Init context...100%")

def handler(context, event):
    data = event.body
    base64.b64decode(data.get("image", data.get("image0")))
    results = json.loads('${answers[kind]}')
    return context.Response(body=json.dumps(results), headers={}, content_type="application/json", status_code=200)
`;

describe.skipIf(!existsSync(fixtures))('every configuration of the shared fixtures', () => {
  const engine = createOwnEngine({ nvidia: true });
  let harness: DockerHarness;
  beforeAll(async () => {
    await engine.start();
    harness = await withSocket(engine.socket, () => createDockerHarness());
    await harness.core.functions.service.buildBaseImage(harness.admin, { language: 'python' });
  });
  afterAll(async () => {
    await harness?.dispose();
    await engine.dispose();
  });

  test.each(globSync('**/*.{yaml,json}', { cwd: fixtures }))(
    '%s is deployed and answers in the shape of its kind',
    async (file) => {
      const configuration = readFileSync(join(fixtures, file), 'utf8');
      const parsed = parseConfigurationText(configuration).configuration;
      const { kind } = describeModel(parsed);
      const directory = harness.folderWith({ 'main.py': stub(kind) });
      const grants = parsed.volumes.length > 0 ? { grants: [`volume:${directory}:rw`] } : {};
      // Exported configurations name a folder of their original computer.
      const text = configuration.replaceAll(/"path": "\/home[^"]*"/g, `"path": ${JSON.stringify(directory)}`);
      const deployed = await harness.deploy({
        configuration: text,
        configuration_name: file,
        directory,
        base_image: pythonBase,
        way: 'handler',
        ...grants,
      });
      expect(deployed).toMatchObject({ state: 'ready', message: '', kind, name: parsed.name });
      const answer = await harness.call(parsed.name, requests[kind]);
      expect(answer).toMatchObject({ status: 200, body: JSON.parse(answers[kind]) as object });
      await harness.core.functions.service.remove(harness.admin, parsed.name);
    },
  );
});
