import { defineFormat } from '../kit/define-format.ts';
import { exportHuggingFace } from './export.ts';
import { detectHuggingFace, importHuggingFace } from './import.ts';

export const huggingFace = defineFormat({
  name: 'Hugging Face ImageFolder',
  version: '1.0',
  support: { rectangle: 'both', tag: 'both', track: 'converted' },
  importExt: 'JSONL, ZIP',
  detect: detectHuggingFace,
  read: importHuggingFace,
  write: exportHuggingFace,
});
