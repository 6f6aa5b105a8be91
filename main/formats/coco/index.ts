export { cocoImporter } from './import-coco.ts';
