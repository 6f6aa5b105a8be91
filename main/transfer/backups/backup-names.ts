const pad = (value: number) => String(value).padStart(2, '0');

/** For example `task_my_photos_backup_2026_11_20_09_30_00.zip`: only characters that every client accepts. */
export function backupFileName(kind: 'project' | 'task', name: string, lightweight: boolean, at: Date): string {
  const date = [at.getUTCFullYear(), at.getUTCMonth() + 1, at.getUTCDate()].map(pad).join('_');
  const time = [at.getUTCHours(), at.getUTCMinutes(), at.getUTCSeconds()].map(pad).join('_');
  const plain = name
    .toLowerCase()
    .replace(/[^a-z0-9.-]+/g, '_')
    .slice(0, 80);
  return `${kind}_${plain}_backup${lightweight ? '-lightweight' : ''}_${date}_${time}.zip`;
}
