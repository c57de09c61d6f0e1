#!/usr/bin/env python3
"""Makes Sources/Pinyin/RomanizationTable.swift: the Latin spellings of the letters of other scripts.

    apt-get install icu-devtools
    python3 Resources/romanization/make-romanization.py            # writes the table
    python3 Resources/romanization/make-romanization.py --check    # says whether the committed table is what this would write

The first spellings of a letter are those of ICU's Any-Latin, in ASCII; spellings.txt adds what people write. The consonants of
Indian scripts are also spelled without their inherent vowel, and as in English. The output depends on nothing else.
"""

import re
import subprocess
import sys
import unicodedata
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SPELLINGS = ROOT / "Resources/romanization/spellings.txt"
OUTPUT = ROOT / "Sources/Pinyin/RomanizationTable.swift"

# Blocks whose letters ICU romanizes one by one.
BLOCKS = [(0x370, 0x3FF), (0x400, 0x52F), (0x561, 0x587), (0x5D0, 0x5EA), (0x621, 0x6D5), (0x904, 0x97F), (0x985, 0x9E3),
          (0xA05, 0xA75), (0xA85, 0xAE3), (0xB05, 0xB63), (0xB85, 0xBD7), (0xC05, 0xC63), (0xC85, 0xCE3), (0xD05, 0xD63),
          (0xE01, 0xE4E), (0x10D0, 0x10FA), (0x3041, 0x3096)]
INDIAN = range(0x900, 0xD80)
# Signs of Indian scripts that ICU only reads after a letter, by their offset in the block.
SIGNS = {0x01: ["n", "m", "_"], 0x02: ["n", "m"], 0x03: ["h", "_"], 0x3C: ["_"], 0x4D: ["_"]}
# How people spell an Indian romanization in English.
ENGLISH = {"c": ["ch"], "ch": ["chh"], "v": ["w"], "ph": ["f"], "a": ["aa"], "i": ["ee"], "u": ["oo"], "au": ["ou", "ow"],
           "ai": ["ei", "ay"], "r": ["ri", "ru"], "kh": ["k"], "gh": ["g"], "jh": ["j"], "dh": ["d"], "bh": ["b"], "j": ["z"]}
# Consonants by their offset in the block.
CONSONANTS = {0x19: ["ng"], 0x1E: ["ny"], 0x36: ["sh"], 0x37: ["sh"], 0x21: ["r"], 0x2F: ["i"], 0x34: ["zh", "l"]}
TAMIL = {0x15: ["g"], 0x1A: ["s"], 0x1F: ["d"], 0x24: ["th", "d"], 0x2A: ["b"], 0x31: ["tr"]}


def fail(message):
    sys.exit("make-romanization: " + message)


def folded(character):
    """Whether a search leaves the letter as it is."""
    if character.lower() != character or character == "ς":
        return False
    code = ord(character)
    if code < 0x700:  # accents are dropped
        return unicodedata.normalize("NFD", character) == character and unicodedata.category(character) != "Mn"
    return unicodedata.normalize("NFC", character) == character


def transliterated(letters):
    done = subprocess.run(["uconv", "-f", "utf-8", "-t", "utf-8", "-x", "::Any-Latin; ::NFD; ::[:M:] Remove; ::Latin-ASCII; ::Lower;"],
                          input="".join(letter + "\n" for letter in letters).encode(), capture_output=True)
    if done.returncode != 0:
        fail("uconv failed (apt-get install icu-devtools): " + done.stderr.decode())
    version = re.search(r"ICU (\d+\.\d+)", subprocess.run(["uconv", "--version"], capture_output=True).stdout.decode())
    return dict(zip(letters, done.stdout.decode().split("\n"))), version.group(1)


def read_spellings():
    lines = {}
    for number, line in enumerate(SPELLINGS.read_text(encoding="utf-8").split("\n"), 1):
        if not line or line.startswith("#"):
            continue
        letters, *spellings = line.split(" ")
        if letters in lines or len(letters) > 2 or not spellings:
            fail("spellings.txt:%d: %s" % (number, line))
        if not all(re.fullmatch(r"_|-?[a-z]{1,7}-?|[a-z]{1,4}~", spelling) for spelling in spellings):
            fail("spellings.txt:%d: a spelling of %s" % (number, letters))
        lines[letters] = spellings
    return lines


def indian(code, latin):
    """The spellings of an Indian letter: a consonant also without its vowel."""
    offset, block = code & 0x7F, code & ~0x7F
    isConsonant = latin.endswith("a") and len(latin) > 1
    found = [latin[:-1], latin] if isConsonant else [latin]
    base = latin[:-1] if isConsonant else latin
    others = ENGLISH.get(base, []) + (CONSONANTS.get(offset, []) if isConsonant else [])
    if block == 0xB80:
        others = others + TAMIL.get(offset, [])
    for other in others:
        found += [other, other + "a"] if isConsonant and other != "i" else [other]
    return found


def made():
    extra = read_spellings()
    letters = [chr(code) for low, high in BLOCKS for code in range(low, high + 1)
               if unicodedata.category(chr(code)) in ("Ll", "Lo", "Mn", "Mc") and folded(chr(code))]
    latin, version = transliterated(letters)
    table = {}
    for letter in letters:
        text = re.sub("[^a-z]", "", latin[letter])
        # Letters that ICU does not know stay as they are.
        known = text or any(mark in latin[letter] for mark in "'ʾʿ\"") and letter in extra
        if re.search("[^a-z'ʾʿ\"~ˌ]", latin[letter]) or not known:
            text = ""
        code = ord(letter)
        if text:
            table[letter] = indian(code, text) if code in INDIAN else [text]
    for block in range(0x900, 0xD80, 0x80):
        for offset, spellings in SIGNS.items():
            if unicodedata.category(chr(block + offset)) in ("Mn", "Mc"):
                table[chr(block + offset)] = spellings
    for letters, spellings in extra.items():
        dropped = {spelling[1:] for spelling in spellings if spelling[0] == "-"}
        added = [spelling for spelling in spellings if spelling[0] != "-"]
        known = [spelling for spelling in table.get(letters, []) if spelling not in dropped and spelling + "~" not in added]
        table[letters] = known + added
    lines = [""]
    for letters in sorted(table):
        entry = " ".join([letters] + list(dict.fromkeys(table[letters]))) + ";"
        if len(lines[-1] + entry) > 110:
            lines.append("")
        lines[-1] += entry
    text = "// Made by Resources/romanization/make-romanization.py from ICU %s and spellings.txt: do not edit.\n" % version
    text += "// An entry is one letter, or two, and its spellings; `_` stands for nothing, and after `m~` a vowel may follow.\n\n"
    text += 'let romanizationTable: StaticString = """\n' + "\\\n".join("  " + line for line in lines) + "\n" + '  """\n'
    return text


def main():
    text = made()
    if sys.argv[1:] == ["--check"]:
        if OUTPUT.read_text(encoding="utf-8") != text:
            fail("the table is not what this script makes")
    else:
        OUTPUT.write_text(text, encoding="utf-8")


main()
