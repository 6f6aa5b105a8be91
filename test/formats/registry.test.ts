import { describe, expect, it } from 'vitest';
import { exporter, importer } from '../../main/formats/kit/plugin.ts';
import {
  builtInFormats,
  createFormatRegistry,
  findExporter,
  findImporter,
  listFormats,
} from '../../main/formats/registry.ts';

const nothing = async (): Promise<void> => undefined;

describe('the list of formats', () => {
  it('names formats like other programs', () => {
    const { importers, exporters } = listFormats();
    expect(importers).toEqual(
      expect.arrayContaining([
        { name: 'CVAT 1.1', ext: 'XML, ZIP', version: '1.1', enabled: true, dimension: '2d' },
        { name: 'COCO 1.0', ext: 'JSON, ZIP', version: '1.0', enabled: true, dimension: '2d' },
        { name: 'YOLO 1.1', ext: 'ZIP', version: '1.1', enabled: true, dimension: '2d' },
        { name: 'Ultralytics YOLO Detection 1.0', ext: 'ZIP', version: '1.0', enabled: true, dimension: '2d' },
      ]),
    );
    expect(exporters.map(({ name, ext }) => [name, ext])).toEqual(
      expect.arrayContaining([
        ['CVAT for images 1.1', 'ZIP'],
        ['CVAT for video 1.1', 'ZIP'],
        ['COCO 1.0', 'ZIP'],
        ['YOLO 1.1', 'ZIP'],
        ['Ultralytics YOLO Detection 1.0', 'ZIP'],
        ['Ultralytics YOLO Detection Track 1.0', 'ZIP'],
      ]),
    );
  });

  it('finds every listed format by its name, in any case', () => {
    const { importers, exporters } = listFormats();
    for (const { name } of importers) expect(findImporter(name.toUpperCase())?.display_name).toBe(name);
    for (const { name } of exporters) expect(findExporter(` ${name.toLowerCase()} `)?.display_name).toBe(name);
    expect(findImporter('CVAT for images 1.1')).toBeUndefined();
    expect(findExporter('CVAT 1.1')).toBeUndefined();
    expect(findImporter('')).toBeUndefined();
    expect(findImporter('__proto__')).toBeUndefined();
  });

  it('asks every importer if it supports a file', () => {
    expect(builtInFormats.importers.filter(({ detect }) => !detect).map(({ display_name }) => display_name)).toEqual(
      [],
    );
  });

  it('has each name once for importers and once for exporters', () => {
    const parameters = { name: 'Mine', version: '2.0', ext: 'TXT', display_name: 'Mine 2.0' };
    const registry = createFormatRegistry({
      importers: [importer(parameters)(nothing)],
      exporters: [exporter({ ...parameters, enabled: false, dimension: '3d' })(nothing)],
    });
    expect(registry.listFormats()).toEqual({
      importers: [{ name: 'Mine 2.0', ext: 'TXT', version: '2.0', enabled: true, dimension: '2d' }],
      exporters: [{ name: 'Mine 2.0', ext: 'TXT', version: '2.0', enabled: false, dimension: '3d' }],
    });
    const twice = {
      importers: [importer(parameters)(nothing), importer({ ...parameters, display_name: 'MINE 2.0' })(nothing)],
      exporters: [],
    };
    expect(() => createFormatRegistry(twice)).toThrow('Two importers are registered under the name "MINE 2.0"');
  });
});
