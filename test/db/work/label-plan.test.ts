import { afterAll, expect, it } from 'vitest';
import { taskWriteSchema } from '../../../preload/contract/schema/resources.ts';
import { createTrialIds } from '../../../main/import-export/import/staging-repository.ts';
import { planLabels, writeLabelPlan } from '../../../main/import-export/import/label-plan.ts';
import { createLabelRepository } from '../../../main/work/tables/label-repository.ts';
import { createCoreHarness } from './core-harness.ts';

const { core, admin, database, dispose } = createCoreHarness();
afterAll(() => dispose());

const color = { name: 'color', mutable: false, input_type: 'text' as const, default_value: '', values: [] };

it('refuses to add an attribute that another user added while the file was read', () => {
  const task = core.tasks.create(admin, taskWriteSchema.parse({ name: 'race', labels: [{ name: 'car' }] }));
  const owner = { kind: 'task', id: task.id } as const;
  const labels = createLabelRepository(database);
  const plan = planLabels(owner, labels.list(owner), [{ name: 'car', attributes: [color] }], createTrialIds());
  const [car] = labels.list(owner);
  labels.insertAttributeWithId(car!.id, { ...color, id: 1 });
  expect(() => writeLabelPlan(labels, owner, plan)).toThrow('The labels were changed');
  expect(labels.attributes(car!.id)).toHaveLength(1);
});
