import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseConfigurationText } from '../../main/functions/configuration/parse-configuration.ts';
import { describeModel } from '../../main/functions/configuration/model-description.ts';
import { sharedFixtures } from './shared-fixtures.ts';

const fixtures = join(sharedFixtures, 'functions');

describe('the configurations of the shared fixtures', () => {
  const files = globSync('**/*.{yaml,json}', { cwd: fixtures });

  test('all exist', () => expect(files).toHaveLength(30));

  test.each(files)('%s is read without an unknown key, and returns its model', (file) => {
    const { configuration, warnings } = parseConfigurationText(readFileSync(join(fixtures, file), 'utf8'), file);
    expect(warnings.filter(({ message }) => !message.startsWith('The image is on the network'))).toEqual([]);
    const model = describeModel(configuration);
    expect(model.labels.length > 0).toBe(model.kind === 'detector');
    expect(configuration.runtime.language).toBe('python');
    expect(configuration.restart.name).toBe('on-failure');
  });
});
