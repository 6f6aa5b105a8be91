import { AppError } from '../../../platform/errors.ts';
import { daemonText } from './engine-problem.ts';

export class PortTaken extends AppError {
  constructor(message: string, cause?: unknown) {
    super('conflict', message, undefined, { cause });
  }
}

export class CommandMissing extends AppError {
  constructor(message: string, cause?: unknown) {
    super('invalid', message, undefined, { cause });
  }
}

const noToolkit =
  'the Docker Engine cannot provide GPUs: the NVIDIA Container Toolkit is not installed on its computer, or ' +
  'Docker was not restarted after its installation. Install it (package nvidia-container-toolkit), restart Docker, and deploy ' +
  'again; or deploy without nvidia.com/gpu';

/** The container requests CDI devices, but the engine uses another method for GPUs now. */
const otherWayToCards =
  'the Docker Engine provides GPUs differently than at the time of the deployment. Deploy the function again';

/**
 * Error for a container that cannot be created or started. The Docker Engine reports most causes only in its message; a
 * missing device driver, for example, is an internal error.
 */
export function startProblem(name: string, error: unknown): AppError {
  const text = daemonText(error);
  const because = (reason: string) => `Cannot start "${name}": ${reason}.`;
  const problem = (reason: string) => new AppError('invalid', because(reason), undefined, { cause: error });
  if (/port is already allocated|address already in use|ports are not available/i.test(text)) {
    const port = /:(\d{2,5})(?:\D|$)/.exec(text.replace(/^.*?(Bind for|listen)/, '$1'))?.[1];
    return new PortTaken(
      because(`port ${port ?? ''} is in use by another program or container`.replace('  ', ' ')),
      error,
    );
  }
  if (/could not select device driver "cdi"/i.test(text)) return problem(otherWayToCards);
  if (/could not select device driver/i.test(text)) return problem(noToolkit);
  if (/nvidia-container-cli|nvidia-container-runtime|CDI device/i.test(text)) {
    return problem(`the NVIDIA Container Toolkit or the driver rejected the GPU: ${text}`);
  }
  if (
    /executable file not found|no such file or directory: unknown|exec: "[^"]*": (stat .*: )?permission denied/i.test(
      text,
    )
  ) {
    return new CommandMissing(because(`its image does not contain the program (${text})`), error);
  }
  if (/bind source path does not exist/i.test(text)) return problem(`a folder of its volumes does not exist (${text})`);
  if (/network .* not found/i.test(text)) return problem(`its network does not exist (${text})`);
  if (/No such image/i.test(text)) return problem('its image no longer exists. Deploy it again');
  return problem(text);
}
