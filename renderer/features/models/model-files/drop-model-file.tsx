import { useNavigate } from '@tanstack/react-router';
import type { DragEvent, ReactNode } from 'react';

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
  const navigate = useNavigate();
  const drop = (event: DragEvent): void => {
    // Other files may be weights or configurations of the model.
    const files = [...event.dataTransfer.files];
    if (!files.some(isModelFile)) return;
    event.preventDefault();
    event.stopPropagation();
    handFiles(files);
    void navigate({ to: '/models/add' });
  };
  return (
    <div style={{ display: 'contents' }} data-own-drop onDragOver={(event) => event.preventDefault()} onDrop={drop}>
      {children}
    </div>
  );
}
