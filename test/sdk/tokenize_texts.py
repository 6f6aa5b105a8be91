"""Encodes texts in twelve scripts with the tokenizers of Hugging Face. Arguments: folder, number of texts."""

import json
import random
import sys
from pathlib import Path

from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

SCRIPTS = {
    "latin": "The quick brown fox jumps over the lazy dog naïve café Straße Łódź Ærøskøbing helmet don't we'll it's",
    "cyrillic": "Съешь же ещё этих мягких французских булок да выпей чаю Київ ґанок",
    "greek": "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία ΑΘΗΝΑ ώρα",
    "arabic": "نص حكيم له سر قاطع وذو شأن عظيم مكتوب على ثوب أخضر",
    "hebrew": "דג סקרן שט בים מאוכזב ולפתע מצא חברה שָׁלוֹם",
    "devanagari": "ऋषियों को सताने वाले दुष्ट राक्षसों के राजा रावण",
    "thai": "เป็นมนุษย์สุดประเสริฐเลิศคุณค่า กว่าบรรดาฝูงสัตว์",
    "chinese": "视野无限广 窗外有蓝天 安全帽 沒有頭盔的人",
    "japanese": "いろはにほへと ちりぬるを カタカナ 日本語 ガ",
    "korean": "키스의 고유조건은 입술끼리 만나야 하고 특별한 기술",
    "georgian": "ჩემი ქვეყანა მთები და ზღვა ლამაზია",
    "tamil": "யாமறிந்த மொழிகளிலே தமிழ்மொழி போல் இனிது",
}
MARKS = [" ", "  ", ", ", ". ", "!", "?", "-", "'", "’", '"', "\t", "\n", "1", "42", "3.5", "#", "@", "_", "/", "\u00a0", "😀", "é", "İ"]


def texts(count: int) -> list[str]:
    chance = random.Random(1)
    words = {name: text.split() for name, text in SCRIPTS.items()}
    found = []
    for number in range(count):
        script = list(words)[number % len(words)]
        pieces = []
        for _ in range(chance.randint(1, 8)):
            word = chance.choice(words[script if chance.random() < 0.85 else chance.choice(list(words))])
            case = chance.random()
            pieces.append(word.upper() if case < 0.15 else word[: chance.randint(1, len(word))] if case < 0.4 else word)
            pieces.append(chance.choice(MARKS) if chance.random() < 0.4 else " ")
        found.append("".join(pieces))
    return found


def clip(corpus: list[str]) -> Tokenizer:
    tokenizer = Tokenizer(models.BPE(unk_token="<|endoftext|>", end_of_word_suffix="</w>", continuing_subword_prefix=""))
    tokenizer.normalizer = normalizers.Sequence(
        [normalizers.NFC(), normalizers.Replace(Regex(r"\s+"), " "), normalizers.Lowercase()]
    )
    words = r"<\|startoftext\|>|<\|endoftext\|>|'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+"
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(words), behavior="removed", invert=True),
            pre_tokenizers.ByteLevel(add_prefix_space=False),
        ]
    )
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=3000,
        initial_alphabet=alphabet + [letter + "</w>" for letter in alphabet],
        special_tokens=["<|startoftext|>", "<|endoftext|>"],
        end_of_word_suffix="</w>",
    )
    tokenizer.train_from_iterator(corpus, trainer)
    ids = [("<|endoftext|>", tokenizer.token_to_id("<|endoftext|>")), ("<|startoftext|>", tokenizer.token_to_id("<|startoftext|>"))]
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<|startoftext|> $A <|endoftext|>", special_tokens=ids
    )
    return tokenizer


def bert(corpus: list[str]) -> Tokenizer:
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    tokenizer.train_from_iterator(corpus, trainers.WordPieceTrainer(vocab_size=2000, special_tokens=special))
    ids = [(name, tokenizer.token_to_id(name)) for name in ("[CLS]", "[SEP]")]
    tokenizer.post_processor = processors.TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=ids)
    return tokenizer


def unigram(corpus: list[str]) -> Tokenizer:
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.normalizer = normalizers.Sequence([normalizers.NFKC(), normalizers.Replace(Regex(" {2,}"), " ")])
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.decoder = decoders.Metaspace()
    trainer = trainers.UnigramTrainer(vocab_size=1500, special_tokens=["<unk>", "</s>"], unk_token="<unk>")
    tokenizer.train_from_iterator(corpus, trainer)
    tokenizer.post_processor = processors.TemplateProcessing(single="$A </s>", special_tokens=[("</s>", 1)])
    return tokenizer


def main() -> None:
    folder, count = Path(sys.argv[1]), int(sys.argv[2])
    corpus = [text for text in SCRIPTS.values() for _ in range(5)]
    given = texts(count)
    answer = {"texts": given, "ids": {}}
    for name, make in (("clip", clip), ("bert", bert), ("unigram", unigram)):
        tokenizer = make(corpus)
        (folder / name).mkdir()
        tokenizer.save(str(folder / name / "tokenizer.json"))
        tokenizer.model.save(str(folder / name))
        answer["ids"][name] = [tokenizer.encode(text).ids for text in given]
    print(json.dumps(answer))


main()
