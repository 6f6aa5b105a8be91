import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const repository = resolve(import.meta.dirname, '../../..');
/** Photos and videos beside the repository; only where they are present. */
export const sharedPhotos = join(repository, '../shared/media/photos');
export const sharedVideos = join(repository, '../shared/media/video');
/** Chromium without its own windows and bars, where there is one: the suite takes a sixth less of the processor. */
const bareChromium = '/usr/bin/chromium-headless-shell';
export const chromiumPath = process.env['CHROMIUM'] ?? (existsSync(bareChromium) ? bareChromium : '/usr/bin/chromium');
