import { join, resolve } from 'node:path';

export const repository = resolve(import.meta.dirname, '../../..');
/** Photos and videos beside the repository; only where they are present. */
export const sharedPhotos = join(repository, '../shared/media/photos');
export const sharedVideos = join(repository, '../shared/media/video');
export const chromiumPath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
