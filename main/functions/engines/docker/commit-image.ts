import type Docker from 'dockerode';
import { taggedReference } from '../../configuration/image-reference.ts';
import { createArchive, type ArchivedFolder, type TextFile } from './handler-archive.ts';
import { madeForLabel } from './images.ts';

export interface CommitInput {
  readonly baseImage: string;
  readonly targetImage: string;
  readonly functionName: string;
  /** Marks the intermediate container, so that it can be found after a crash. */
  readonly labels: Readonly<Record<string, string>>;
  readonly folders: readonly ArchivedFolder[];
  readonly files: readonly TextFile[];
  /** Default command, used when the image is exported and started on another computer. */
  readonly command: readonly string[];
  readonly signal?: AbortSignal;
}

/**
 * Creates an image from a base image and files without a build; nothing is executed. The files are part of the image,
 * so that the container's file system can be read-only.
 */
export async function commitImage(docker: Docker, input: CommitInput): Promise<void> {
  const { baseImage, targetImage, functionName, labels, folders, files, command, signal } = input;
  const container = await docker.createContainer({
    Image: baseImage,
    // Never started; Docker cannot create a container without a command.
    Cmd: ['limner'],
    Labels: { ...labels },
    NetworkDisabled: true,
  });
  try {
    await container.putArchive(createArchive(folders, files, signal), { path: '/' });
    signal?.throwIfAborted();
    const changes = `LABEL ${madeForLabel}=${JSON.stringify(functionName)}\nCMD ${JSON.stringify(command)}`;
    const [, repo, tag] = /^(.*):([^:]*)$/.exec(taggedReference(targetImage)) ?? [];
    await container.commit({ repo, tag, changes });
  } finally {
    await container.remove({ force: true, v: true });
  }
}
