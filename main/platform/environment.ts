/** Environment variables that the program reads, with what each sets. docs/reference/environment.md shows them. */
export const environmentVariables = {
  LIMNER_DATA_DIR: 'Data directory where no `--data-dir` is given.',
  LIMNER_SHARE_DIR:
    'Shared folder. Administrators use its files for tasks in place (`server_files`, `/api/server/share`).',
  LIMNER_TMPDIR: 'Folder for exports while the disk of the data directory is full.',
  LIMNER_PASSWORD: 'Password of the owner `admin`, set by `limner serve` and by the desktop program at the start.',
  LIMNER_BACKUP_PASSPHRASE: 'Passphrase of the file for `limner backup` and `limner restore`.',
  LIMNER_UNDO_HOURS:
    'Hours for which imports, replacements and deletions of annotations can be undone. Default: 24. 0 switches it off.',
  LIMNER_MEDIA_CACHE_MB: 'Megabytes on disk for thumbnails, compressed frames and chunks of a task.',
  LIMNER_WEBHOOK_RETRIES: 'Seconds before each further attempt of a webhook delivery, as a JSON array.',
  LIMNER_FORMATS_DIR: 'Additional folder of format plug-ins.',
  LIMNER_PLUGIN_MEMORY_MIB: "Memory limit of a format plug-in's process, in MiB.",
  LIMNER_PLUGIN_SILENCE_SECONDS: 'Seconds without progress after which a format plug-in is stopped.',
  LIMNER_NODE: "Node.js program that runs format plug-ins and ONNX models instead of Limner's own.",
  LIMNER_UPDATE_URL: 'Address that `limner update-check` asks for the latest release. It is used by this command only.',
  LIMNER_CHAT_KEY: 'API key of the chat endpoint that `limner model add --chat` adds.',
  LIMNER_DEBUG: 'Command line: print the stack of an error, not only its message.',
  LIMNER_NO_DIALOGS:
    'Desktop program: write failures to standard error instead of a dialog, and leave functions running at the end.',
} as const;
