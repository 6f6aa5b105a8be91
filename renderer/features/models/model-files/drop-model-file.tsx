import { useNavigate } from '@tanstack/react-router';
import type { DragEvent, ReactNode } from 'react';
import { useText } from '../../../i18n/index.ts';
import { notify } from '../../../ui/notify.ts';

let handed: readonly File[] = [];

function handFiles(files: readonly File[]): void {
  handed = files;
}

export function takeHandedFiles(): readonly File[] {
  const files = handed;
  handed = [];
  return files;
}

export const isModelFile = ({ name }: File): boolean => /\.onnx$/i.test(name);

/** Model files dropped on the list open the screen that adds them. */
export function DropModelFile({ children }: { readonly children: ReactNode }) {
  const t = useText();
  const navigate = useNavigate();
  const drop = (event: DragEvent): void => {
    // Other files may be weights or configurations of the model.
    const files = [...event.dataTransfer.files];
    const [first] = files;
    if (first === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    if (!files.some(isModelFile)) {
      notify.failure(t('modelFiles.otherDropTitle'), t('modelFiles.otherDrop', { name: first.name }));
      return;
    }
    handFiles(files);
    void navigate({ to: '/models/add' });
  };
  return (
    <div style={{ display: 'contents' }} data-own-drop onDragOver={(event) => event.preventDefault()} onDrop={drop}>
      {children}
    </div>
  );
}
