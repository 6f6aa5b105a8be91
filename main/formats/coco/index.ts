export { cocoExporter } from './export-coco.ts';
export { cocoImporter } from './import-coco.ts';
