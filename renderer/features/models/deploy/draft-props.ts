import type { DeployDraft } from './deploy-draft.ts';

/** What every part of the wizard gets. */
export interface DraftProps {
  readonly draft: DeployDraft;
  readonly onChange: (change: Partial<DeployDraft>) => void;
  /** Sentences of the service about single fields. */
  readonly errors: Readonly<Record<string, string | undefined>>;
}
