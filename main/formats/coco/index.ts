export { cocoExporter, cocoRleExporter } from './export-coco.ts';
export { cocoImporter } from './import-coco.ts';
