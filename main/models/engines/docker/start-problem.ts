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
  'the Docker Engine cannot give out graphics cards: the NVIDIA Container Toolkit is not installed on this computer, or ' +
  'the Engine was not restarted since. Install it (package nvidia-container-toolkit), restart the Engine, and deploy ' +
  'again; or deploy without nvidia.com/gpu';

/** The container requests CDI devices, but the engine uses another method for GPUs now. */
const otherWayToCards =
  'the Docker Engine gives out graphics cards another way than when it was deployed. Deploy it again';

/**
 * Error for a container that cannot be created or started. The Docker Engine reports most causes only in its message; a
 * missing device driver, for example, is an internal error.
 */
export function startProblem(name: string, error: unknown): AppError {
  const text = daemonText(error);
  const because = (reason: string) => `"${name}" could not be started: ${reason}.`;
  const problem = (reason: string) => new AppError('invalid', because(reason), undefined, { cause: error });
  if (/port is already allocated|address already in use|ports are not available/i.test(text)) {
    const port = /:(\d{2,5})(?:\D|$)/.exec(text.replace(/^.*?(Bind for|listen)/, '$1'))?.[1];
    return new PortTaken(
      because(`port ${port ?? ''} is used by another program or container`.replace('  ', ' ')),
      error,
    );
  }
  if (/could not select device driver "cdi"/i.test(text)) return problem(otherWayToCards);
  if (/could not select device driver/i.test(text)) return problem(noToolkit);
  if (/nvidia-container-cli|nvidia-container-runtime|CDI device/i.test(text)) {
    return problem(`the NVIDIA Container Toolkit or the driver refused the graphics card: ${text}`);
  }
  if (
    /executable file not found|no such file or directory: unknown|exec: "[^"]*": (stat .*: )?permission denied/i.test(
      text,
    )
  ) {
    return new CommandMissing(because(`its image has no such program (${text})`), error);
  }
  if (/bind source path does not exist/i.test(text)) return problem(`a folder of its volumes is not there (${text})`);
  if (/network .* not found/i.test(text)) return problem(`the network that it wants is not there (${text})`);
  if (/No such image/i.test(text)) return problem('its image is no longer there. Deploy it again');
  return problem(text);
}
