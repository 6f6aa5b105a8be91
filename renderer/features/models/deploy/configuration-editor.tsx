import { useId, useImperativeHandle, useRef, type DragEvent, type Ref } from 'react';
import { Text } from '../../../ui/kit.ts';
import classes from './configuration-editor.module.css';

export interface ConfigurationEditorHandle {
  goTo(line: number): void;
}

interface ConfigurationEditorProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly onFile?: (file: File) => void;
  readonly badLines?: readonly number[];
  readonly error?: string | undefined;
  readonly placeholder?: string;
  readonly rows?: number;
  readonly ref?: Ref<ConfigurationEditorHandle>;
}

export function ConfigurationEditor(props: ConfigurationEditorProps) {
  const { label, value, onChange, onFile, badLines = [], error, placeholder, rows = 18, ref } = props;
  const id = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  const gutter = useRef<HTMLDivElement>(null);
  useImperativeHandle(ref, () => ({
    goTo(line) {
      const text = area.current;
      if (text === null) return;
      const lines = text.value.split('\n');
      const start = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
      text.focus();
      text.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0));
      text.scrollTop = Math.max(0, (line - 4) * 18);
    },
  }));
  const drop = (event: DragEvent): void => {
    const [file] = event.dataTransfer.files;
    if (file === undefined || onFile === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    onFile(file);
  };
  const count = value.split('\n').length;
  return (
    <div>
      <label htmlFor={id} className={classes.fieldLabel}>
        {label}
      </label>
      <div className={classes.editor} data-bad={badLines.length > 0 || undefined} data-own-drop onDrop={drop}>
        <div className={classes.gutter} ref={gutter} aria-hidden style={{ height: rows * 18 + 16 }}>
          {Array.from({ length: count }, (_, index) => (
            <div key={index} data-bad={badLines.includes(index + 1) || undefined}>
              {index + 1}
            </div>
          ))}
        </div>
        <textarea
          id={id}
          ref={area}
          className={classes.editorText}
          style={{ height: rows * 18 + 16 }}
          spellCheck={false}
          autoCapitalize="off"
          wrap="off"
          placeholder={placeholder}
          aria-invalid={badLines.length > 0 || error !== undefined}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
          onScroll={(event) => {
            if (gutter.current !== null) gutter.current.scrollTop = event.currentTarget.scrollTop;
          }}
        />
      </div>
      {error !== undefined && (
        <Text c="red" fz="xs" mt={4} role="alert" style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>
          {error}
        </Text>
      )}
    </div>
  );
}
