import type { NewFunction } from './function-repository.ts';

/** A row of which nothing is known yet but its name. */
export function newFunction(name: string, project: string, date: string): NewFunction {
  return {
    name,
    provider: 'docker',
    project,
    document: '{"metadata":{},"spec":{}}',
    secrets: '',
    way: null,
    image: null,
    running_image: null,
    is_image_made: 0,
    has_runtime: 0,
    commands: null,
    directory: null,
    is_directory_own: 0,
    grants: '[]',
    state: 'imported',
    message: '',
    warnings: '[]',
    container_id: null,
    port: null,
    cards: '[]',
    address: null,
    gpu_memory_mib: null,
    measured_gpu_memory_mib: null,
    idle_stop_seconds: null,
    owner_id: null,
    created_date: date,
    updated_date: date,
  };
}
