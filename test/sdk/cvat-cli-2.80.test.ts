import { requirementsVariable, type Requirements } from './python.ts';

process.env[requirementsVariable] = 'requirements-2.80.txt' satisfies Requirements;
await import('./cvat-cli.test.ts');
