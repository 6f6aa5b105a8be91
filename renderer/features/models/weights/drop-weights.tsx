import { useNavigate } from '@tanstack/react-router';
import type { DragEvent, ReactNode } from 'react';
import { handFiles, isWeights } from './handed-files.ts';

/** Files of weights that are dropped anywhere on the list of models open the screen that adds them. */
export function DropWeights({ children }: { readonly children: ReactNode }) {
  const navigate = useNavigate();
  const drop = (event: DragEvent): void => {
    const files = [...event.dataTransfer.files].filter(isWeights);
    if (files.length === 0) return;
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
