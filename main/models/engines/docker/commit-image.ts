import type Docker from 'dockerode';
import { taggedReference } from '../../configuration/image-reference.ts';
import { createArchive, type ArchivedFolder, type TextFile } from './handler-archive.ts';
import { madeForLabel } from './images.ts';

export interface CommitInput {
  readonly baseImage: string;
  readonly targetImage: string;
  readonly functionName: string;
  /** Marks the container that is made in between, so that a crash leaves nothing unknown behind. */
  readonly labels: Readonly<Record<string, string>>;
  readonly folders: readonly ArchivedFolder[];
  readonly files: readonly TextFile[];
  /** What the image runs when it is told nothing: of use where it is saved, and imported on another computer. */
  readonly command: readonly string[];
  readonly signal?: AbortSignal;
}

/**
 * An image of a base image and files, without a build: nothing of it is ever run in between. The files go into an image
 * and not into the container itself, so that the container's own file system can be read-only.
 */
export async function commitImage(docker: Docker, input: CommitInput): Promise<void> {
  const { baseImage, targetImage, functionName, labels, folders, files, command, signal } = input;
  const container = await docker.createContainer({
    Image: baseImage,
    // Never started; an image without a command cannot be created without one.
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
