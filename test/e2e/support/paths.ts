import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const repository = resolve(import.meta.dirname, '../../..');
/** Photos and videos beside the repository, if present. */
export const sharedPhotos = join(repository, '../shared/media/photos');
export const sharedVideos = join(repository, '../shared/media/video');
/** The headless shell of Chromium, if installed, uses a sixth less CPU time. */
const bareChromium = '/usr/bin/chromium-headless-shell';
export const chromiumPath = process.env['CHROMIUM'] ?? (existsSync(bareChromium) ? bareChromium : '/usr/bin/chromium');
