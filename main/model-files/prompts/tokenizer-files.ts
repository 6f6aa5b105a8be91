import { parseTolerantJson } from '../../../preload/contract/tolerant-json.ts';

/** Name of the tokenizer in the folder of a model, in the form of Hugging Face's tokenizers. */
export const tokenizerFile = 'tokenizer.json';

/** Files of a tokenizer beside a model. */
export const isTokenizerFile = (name: string): boolean =>
  /^(tokenizer|tokenizer_config|vocab|special_tokens_map)\.json$|^(vocab|merges)\.txt$/i.test(name);

/** `tokenizer.json`, or the same from a vocabulary with merges (CLIP) or of word pieces (BERT); null if incomplete. */
export function tokenizerFrom(files: ReadonlyMap<string, string>): object | null {
  const named = (name: string) => [...files].find(([one]) => one.toLowerCase() === name)?.[1];
  const complete = named(tokenizerFile);
  if (complete !== undefined) return recordOf(complete);
  const [vocabulary, merges, pieces] = [named('vocab.json'), named('merges.txt'), named('vocab.txt')];
  if (vocabulary !== undefined && merges !== undefined) {
    const known = recordOf(vocabulary);
    return known === null ? null : clipTokenizer(known, merges);
  }
  return pieces === undefined ? null : bertTokenizer(pieces);
}

function recordOf(text: string): Record<string, unknown> | null {
  const value: unknown = parseTolerantJson(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null;
}

const special = (id: unknown, content: string) => ({
  id: Number(id),
  content,
  single_word: false,
  lstrip: false,
  rstrip: false,
  normalized: false,
  special: true,
});

const framed = (first: string, last: string, ids: Readonly<Record<string, unknown>>) => ({
  type: 'TemplateProcessing',
  single: [
    { SpecialToken: { id: first, type_id: 0 } },
    { Sequence: { id: 'A', type_id: 0 } },
    { SpecialToken: { id: last, type_id: 0 } },
  ],
  pair: [],
  special_tokens: Object.fromEntries(
    [first, last].map((name) => [name, { id: name, ids: [Number(ids[name])], tokens: [name] }]),
  ),
});

/** Words that CLIP splits before it merges letters. */
const clipWords = String.raw`<\|startoftext\|>|<\|endoftext\|>|'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+`;

function clipTokenizer(vocab: Record<string, unknown>, mergesText: string): object | null {
  const [start, end] = ['<|startoftext|>', '<|endoftext|>'];
  if (!(start in vocab) || !(end in vocab)) return null;
  const merges = mergesText.split(/\r?\n/).filter((line) => line !== '' && !line.startsWith('#version'));
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: [start, end].map((name) => special(vocab[name], name)),
    normalizer: {
      type: 'Sequence',
      normalizers: [
        { type: 'NFC' },
        { type: 'Replace', pattern: { Regex: String.raw`\s+` }, content: ' ' },
        { type: 'Lowercase' },
      ],
    },
    pre_tokenizer: {
      type: 'Sequence',
      pretokenizers: [
        { type: 'Split', pattern: { Regex: clipWords }, behavior: 'Removed', invert: true },
        { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: true },
      ],
    },
    post_processor: framed(start, end, vocab),
    decoder: null,
    model: {
      type: 'BPE',
      dropout: null,
      unk_token: end,
      continuing_subword_prefix: '',
      end_of_word_suffix: '</w>',
      fuse_unk: false,
      byte_fallback: false,
      ignore_merges: false,
      vocab,
      merges,
    },
  };
}

function bertTokenizer(text: string): object | null {
  const pieces = text.replace(/\r?\n$/, '').split(/\r?\n/);
  const vocab = Object.fromEntries(pieces.map((piece, index) => [piece, index]));
  if (!('[CLS]' in vocab) || !('[SEP]' in vocab) || !('[UNK]' in vocab)) return null;
  const specials = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]'].filter((name) => name in vocab);
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: specials.map((name) => special(vocab[name], name)),
    normalizer: {
      type: 'BertNormalizer',
      clean_text: true,
      handle_chinese_chars: true,
      strip_accents: null,
      lowercase: true,
    },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: framed('[CLS]', '[SEP]', vocab),
    decoder: null,
    model: {
      type: 'WordPiece',
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab,
    },
  };
}
