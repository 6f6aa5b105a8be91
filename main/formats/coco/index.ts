export { cocoExporter, cocoRleExporter } from './export-coco.ts';
export { cocoImporter } from './import-coco.ts';
export { cocoKeypointsExporter, cocoKeypointsImporter } from './keypoints/index.ts';
export { cocoPanopticExporter, cocoPanopticImporter } from './panoptic/index.ts';
export { cocoResultsImporter } from './results/index.ts';
