#!/usr/bin/env python3
"""Makes Sources/CPinyinTable/table.c: the readings of Han characters, the surname and word exceptions, and the Latin folding.

    apt-get install icu-devtools unicode-data
    python3 Resources/pinyin/make-readings.py            # writes the table
    python3 Resources/pinyin/make-readings.py --check    # says whether the committed table is what this would write
    python3 Resources/pinyin/make-readings.py --review   # prints how each exception and generated variant was understood

Sources, in order of precedence:
  1. Resources/pinyin/overrides.json            surnames and words, and the usual reading of a few characters
  2. ICU Han-Latin, through `uconv`             the primary reading of a character, unless kTGHZ2013 lists the character without it
  3. Unihan (Debian's unicode-data)             kMandarin; kTGHZ2013 (the standard of 2013), and for characters that it lacks kXHC1983,
                                                for heteronyms; variants lend their readings to characters that have none
  4. UnicodeData.txt                            canonical decompositions (compatibility ideographs) and the folding of Latin

The output depends on nothing else, so the same inputs give the same bytes. The table carries a digest of this script and of the
overrides, which a test compares, and a digest of its own contents, which is part of the collation version stored in a book.

It is one long file because it runs alone, needs nothing but the standard library, and has the steps in order.
"""

import bz2
import itertools
import json
import re
import subprocess
import sys
import unicodedata
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
OVERRIDES = ROOT / "Resources/pinyin/overrides.json"
OUTPUT = ROOT / "Sources/CPinyinTable/table.c"
UNICODE = Path("/usr/share/unicode")

# Blocks of Han characters: radicals, 々 〇 and Hangzhou numerals, and all ideographs. Enclosed ideographs such as ㊣ are symbols.
HAN_RANGES = [(0x2E80, 0x2FD5), (0x3007, 0x3007), (0x3021, 0x3029), (0x3038, 0x303A), (0x3400, 0x4DBF), (0x4E00, 0x9FFF),
              (0xF900, 0xFAD9), (0x20000, 0x323AF)]
PAGE_BITS = 6
TONE_MARKS = {"\u0304": 1, "\u0301": 2, "\u030C": 3, "\u0300": 4}
NEUTRAL = 5
MAXIMUM_PHRASE = 4
HETERONYM_FLAG, PHRASE_FLAG, CODE_MASK = 0x8000, 0x4000, 0x1FFF


def fail(message):
    sys.exit("make-readings: " + message)


def fnv1a(data, seed=0xCBF29CE484222325):
    """FNV-1a, 64 bits: short enough to be written again in a test."""
    value = seed
    for byte in data:
        value = ((value ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return value


def is_han(code):
    return any(low <= code <= high for low, high in HAN_RANGES)


# --- Syllables ------------------------------------------------------------------------------------------------------------------

def parse_syllable(text):
    """'lǜ' -> ('lv', 4), 'de' -> ('de', 5); None when the text is not one syllable."""
    tone, letters = NEUTRAL, ""
    for character in unicodedata.normalize("NFD", text.strip().lower()):
        if character in TONE_MARKS:
            tone = TONE_MARKS[character]
        elif character == "\u0308" and letters.endswith("u"):
            letters = letters[:-1] + "v"
        elif character == "\u0302" and letters.endswith("e"):
            continue  # ê, the interjection 诶
        elif "a" <= character <= "z":
            letters += character
        else:
            return None
    if not re.fullmatch(r"(zh|ch|sh|[bpmfdtnlgkhjqxrzcsyw])?[aeiouv]+(n|ng|r)?|m|n|ng|hm|hng", letters):
        return None
    return letters, tone


# --- Inputs ---------------------------------------------------------------------------------------------------------------------

def read_icu():
    codes = [code for low, high in HAN_RANGES for code in range(low, high + 1)]
    text = "".join(chr(code) + "\n" for code in codes)
    done = subprocess.run(["uconv", "-f", "utf-8", "-t", "utf-8", "-x", "Han-Latin"], input=text.encode(), capture_output=True)
    if done.returncode != 0:
        fail("uconv failed (apt-get install icu-devtools): " + done.stderr.decode())
    lines = done.stdout.decode().split("\n")
    readings = {}
    for code, line in zip(codes, lines):
        syllable = parse_syllable(line) if line.strip() != chr(code) else None
        if syllable:
            readings[code] = syllable
    version = subprocess.run(["uconv", "--version"], capture_output=True).stdout.decode()
    match = re.search(r"ICU (\d+)\.(\d+)", version)
    if not match:
        fail("no ICU version in: " + version)
    return readings, int(match.group(1)), int(match.group(2))


def read_unihan(name, wanted):
    table = {key: {} for key in wanted}
    path = UNICODE / ("Unihan_%s.txt.bz2" % name)
    if not path.exists():
        fail("%s is missing (apt-get install unicode-data)" % path)
    version = ""
    with bz2.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            if line.startswith("# Unicode version:"):
                version = line.split(":")[1].strip()
            if not line.startswith("U+"):
                continue
            scalar, key, value = line.rstrip("\n").split("\t")
            if key in table:
                table[key][int(scalar[2:], 16)] = value
    return table, version


def read_unicode_data():
    names, categories, decompositions = {}, {}, {}
    with open(UNICODE / "UnicodeData.txt", encoding="utf-8") as lines:
        for line in lines:
            field = line.split(";")
            code = int(field[0], 16)
            names[code], categories[code] = field[1], field[2]
            if field[5]:
                parts = field[5].split()
                compatible = parts[0].startswith("<")
                decompositions[code] = (compatible, [int(part, 16) for part in parts[compatible:]])
    return names, categories, decompositions


def dictionary_readings(value):
    """kTGHZ2013 and kXHC1983: '212.030:lè 453.020:yuè'."""
    found = []
    for item in value.split():
        syllable = parse_syllable(item.split(":")[1])
        if syllable and syllable not in found:
            found.append(syllable)
    return found


def variant_codes(value):
    return [int(item.split("<")[0][2:], 16) for item in value.split()]


# --- Readings of characters -----------------------------------------------------------------------------------------------------

class Readings:
    def __init__(self, overrides):
        self.icu, self.icu_major, self.icu_minor = read_icu()
        unihan, self.unicode_version = read_unihan("Readings", ["kMandarin", "kTGHZ2013", "kXHC1983", "kHanyuPinyin"])
        self.mandarin, self.tghz, self.xhc = unihan["kMandarin"], unihan["kTGHZ2013"], unihan["kXHC1983"]
        self.hanyu = unihan["kHanyuPinyin"]
        self.variants, _ = read_unihan("Variants", ["kTraditionalVariant", "kSimplifiedVariant", "kZVariant", "kSemanticVariant"])
        self.names, self.categories, self.decompositions = read_unicode_data()
        self.characters = overrides["characters"]
        self.all = {}
        self.build()

    def own(self, code):
        """The readings of a character by its own entries, the primary one first."""
        found = []
        if chr(code) in self.characters:
            found.append(parse_syllable(self.characters[chr(code)]))
        if code in self.icu:
            found.append(self.standard(code, self.icu[code]))
        if code in self.tghz:
            found += dictionary_readings(self.tghz[code])
            # People still use some readings that the standard dropped (隗 kuí), so a search finds these too.
            if code in self.icu and self.icu[code][0] not in [syllable[0] for syllable in found]:
                found.append(self.icu[code])
        else:
            found += [parse_syllable(text) for text in self.mandarin.get(code, "").split()[1:]]
            if code in self.xhc:
                found += dictionary_readings(self.xhc[code])
            else:
                # A traditional form that neither dictionary lists is read like its simplified form.
                for simple in self.simplified(code):
                    lent = dictionary_readings(self.tghz[simple])
                    if found and found[0] in lent:
                        found += lent
        unique = []
        for syllable in found:
            if syllable and syllable not in unique:
                unique.append(syllable)
        # A neutral tone beside a full one of the same letters says nothing about the character itself: 子 is zǐ in a name, not zi.
        if unique and unique[0][1] == NEUTRAL:
            full = [s for s in unique if s[0] == unique[0][0] and s[1] != NEUTRAL]
            unique = full[:1] + [s for s in unique if s not in full[:1]]
        return [s for i, s in enumerate(unique) if i == 0 or s[1] != NEUTRAL or all(s[0] != other[0] for other in unique[:i])]

    def simplified(self, code):
        """The simplified forms of a character that the standard lists."""
        codes = variant_codes(self.variants["kSimplifiedVariant"].get(code, ""))
        return [simple for simple in codes if simple != code and simple in self.tghz]

    def standard(self, code, primary):
        """The primary reading of ICU; the standard's first one if it lists the character (or its simplified form) without ICU's."""
        for listed in [code] if code in self.tghz else self.simplified(code):
            readings = dictionary_readings(self.tghz[listed])
            if readings and self.icu.get(listed) == primary and primary not in readings:
                return readings[0]
        return primary

    def lookup(self, code, borrow=True):
        """Every reading that a source knows, for exceptions that are written without tones. `borrow` includes the simplified form's."""
        found = list(self.own(code))
        if code in self.xhc:
            found += dictionary_readings(self.xhc[code])
        for item in self.hanyu.get(code, "").split():
            found += [parse_syllable(text) for text in item.split(":")[1].split(",")]
        for simple in self.simplified(code) if borrow else []:
            found += dictionary_readings(self.tghz[simple])
        return [syllable for syllable in found if syllable]

    def build(self):
        codes = [code for low, high in HAN_RANGES for code in range(low, high + 1)]
        for code in codes:
            readings = self.own(code)
            if readings:
                self.all[code] = readings
        # Characters without a reading of their own: canonical equivalents, then variants.
        for code in codes:
            compatible, parts = self.decompositions.get(code, (True, []))
            if not compatible and len(parts) == 1 and parts[0] in self.all:
                self.all[code] = self.all[parts[0]]
        lent = {}
        for code in codes:
            if code in self.all:
                continue
            for key in ("kTraditionalVariant", "kSimplifiedVariant", "kZVariant", "kSemanticVariant"):
                for other in variant_codes(self.variants[key].get(code, "")):
                    if other in self.all and code not in lent:
                        lent[code] = self.all[other]
        self.all.update(lent)


# --- Exceptions -----------------------------------------------------------------------------------------------------------------

class Phrase:
    def __init__(self, text, syllables, kind, explicit):
        self.text, self.syllables, self.kind, self.explicit = text, syllables, kind, explicit


def segment(readings, characters, letters):
    """Splits toneless letters among the first characters, so that each gets a reading that it has; None if that is impossible."""
    if not letters:
        return []
    if not characters:
        return None
    for syllable in readings.lookup(ord(characters[0])):
        if letters.startswith(syllable[0]):
            rest = segment(readings, characters[1:], letters[len(syllable[0]):])
            if rest is not None:
                return [syllable] + rest
    return None


def understand(readings, text, value):
    marked = unicodedata.normalize("NFD", value)
    if " " in value or any(mark in marked for mark in TONE_MARKS):
        syllables = [parse_syllable(part) for part in value.split()]
    else:
        syllables = segment(readings, text, value.replace("ü", "v"))
        if syllables is None and len(text) == 1:
            fail("%s: no source has the reading %s; write it with its tone" % (text, value))
    if not syllables or None in syllables or len(syllables) > len(text):
        fail("%s: cannot read %r" % (text, value))
    return syllables


def traditional_forms(readings, text):
    choices = []
    for character in text:
        codes = variant_codes(readings.variants["kTraditionalVariant"].get(ord(character), ""))
        choices.append([character] + [chr(code) for code in codes if chr(code) != character and code in readings.all])
    forms = ["".join(form) for form in itertools.product(*choices)]
    return [form for form in forms if form != text]


def read_phrases(readings, overrides):
    tables = []
    for kind, part in (("surname", "single"), ("surname", "compound"), ("word", "words")):
        for text, value in overrides[part].items():
            if len(text) > MAXIMUM_PHRASE:
                fail("%s: longer than %d characters" % (text, MAXIMUM_PHRASE))
            if (part == "single") != (len(text) == 1) and part != "words":
                fail("%s is in the wrong part: %s" % (text, part))
            tables.append(Phrase(text, understand(readings, text, value), kind, True))
    phrases = {(phrase.kind, phrase.text): phrase for phrase in tables}
    for phrase in tables:
        for form in traditional_forms(readings, phrase.text):
            fits = all(syllable[0] in [own[0] for own in readings.lookup(ord(character), borrow=False)]
                       for syllable, character in zip(phrase.syllables, form))
            if fits and (phrase.kind, form) not in phrases:
                phrases[(phrase.kind, form)] = Phrase(form, phrase.syllables, phrase.kind, False)
    # A surname of one character is left out if the character is usually read this way.
    kept = []
    for phrase in phrases.values():
        plain = [readings.all[ord(character)][0] for character in phrase.text[:len(phrase.syllables)]]
        if phrase.kind == "surname" and len(phrase.text) == 1 and plain == phrase.syllables:
            continue
        kept.append(phrase)
        # A search uses every reading of a character, so the reading of an exception is added to them.
        for character, syllable in zip(phrase.text, phrase.syllables):
            own = readings.all[ord(character)]
            if syllable[0] not in [other[0] for other in own]:
                readings.all[ord(character)] = own + [syllable]
    return sorted(kept, key=lambda phrase: ([ord(c) for c in phrase.text], phrase.kind))


# --- Folding of Latin -----------------------------------------------------------------------------------------------------------

NAMED_LETTERS = {
    "SHARP S": "ss", "THORN": "th", "ETH": "d", "ENG": "n", "SCHWA": "e", "OPEN O": "o", "OPEN E": "e", "DOTLESS I": "i",
    "DOTLESS J": "j", "KRA": "q", "LONG S": "s", "WYNN": "w", "YOGH": "y", "ALPHA": "a", "GAMMA": "g", "IOTA": "i", "UPSILON": "u",
    "ESH": "sh", "EZH": "z", "REVERSED E": "e", "TURNED E": "e", "TURNED A": "a", "TURNED M": "m", "TURNED V": "v", "INSULAR D": "d",
    "INSULAR F": "f", "INSULAR G": "g", "INSULAR R": "r", "INSULAR S": "s", "INSULAR T": "t", "SCRIPT G": "g", "AE": "ae", "OE": "oe",
    "AA": "aa", "AO": "ao", "AU": "au", "AV": "av", "AY": "ay", "OO": "oo", "OU": "ou", "VY": "vy", "HV": "hv", "OI": "gh", "DZ": "dz",
    "LJ": "lj", "NJ": "nj", "LONG S WITH DIAGONAL STROKE": "s", "AFRICAN D": "d", "HWAIR": "hv",
    "YR": "r", "BARRED O": "o", "U BAR": "u", "MIDDLE-WELSH LL": "ll", "MIDDLE-WELSH V": "v", "EZH REVERSED": "z", "TZ": "tz",
    "R ROTUNDA": "r", "VISIGOTHIC Z": "z", "TURNED ALPHA": "a", "TURNED H": "h", "TURNED R": "r", "N PRECEDED BY APOSTROPHE": "n",
    "SMALL Q": "q",
}
LATIN_NAME = re.compile(r"(?:MODIFIER LETTER |FULLWIDTH |)LATIN (?:SMALL|CAPITAL|LETTER SMALL CAPITAL|SUBSCRIPT SMALL|LETTER)"
                        r"(?: LETTER| LIGATURE|)(?: SMALL CAPITAL|) (.+)$")


def compatibility_letters(data, code):
    """The full compatibility decomposition without marks, or None if it contains anything but ASCII letters and digits."""
    if code < 0x80:
        return chr(code).lower() if chr(code).isalnum() else None
    if data.categories.get(code) == "Mn":
        return ""
    if code not in data.decompositions:
        return named_letters(data, code)
    parts = [compatibility_letters(data, part) for part in data.decompositions[code][1]]
    return named_letters(data, code) if None in parts else "".join(parts)


def named_letters(data, code):
    match = LATIN_NAME.match(data.names.get(code, ""))
    if not match:
        return None
    rest = match.group(1)
    base = rest.split(" WITH ")[0]
    if rest in NAMED_LETTERS:
        return NAMED_LETTERS[rest]
    if base in NAMED_LETTERS:
        return NAMED_LETTERS[base]
    return base.lower() if re.fullmatch("[A-Z]", base) else None


def latin_folding(data):
    """Scalar -> up to four ASCII characters: for Latin letters, also in circles, and for full-width digits and signs."""
    folding = {}
    for code in range(0x80, 0x20000):
        category = data.categories.get(code, "")
        if not category or is_han(code):
            continue
        if 0xFF01 <= code <= 0xFF5E:
            folding[code] = chr(code - 0xFEE0).lower()
            continue
        circled = 0x24B6 <= code <= 0x24E9 or 0x1F130 <= code <= 0x1F149
        if category[0] != "L" and category != "Nl" and not circled:
            continue
        letters = compatibility_letters(data, code)
        if letters and len(letters) <= 4 and letters[0].isalpha():
            folding[code] = letters
        elif circled:
            fail("U+%04X has no folding" % code)
    return folding


# --- Output ---------------------------------------------------------------------------------------------------------------------

def rows(values, width, form):
    values = list(values)
    return ",\n".join("  " + ",".join(form % value for value in values[i:i + width]) for i in range(0, len(values), width))


def render(readings, phrases, folding):
    letters = sorted({syllable[0] for own in readings.all.values() for syllable in own}
                     | {syllable[0] for phrase in phrases for syllable in phrase.syllables})
    number = {text: index + 1 for index, text in enumerate(letters)}
    code_of = lambda syllable: number[syllable[0]] * 8 + syllable[1]
    if code_of((letters[-1], 5)) > CODE_MASK:
        fail("too many syllables")

    starts = {ord(phrase.text[0]) for phrase in phrases}
    pool, sets, entries = [], {}, {}
    for code, own in sorted(readings.all.items()):
        codes = tuple(code_of(syllable) for syllable in own)
        if len(codes) == 1:
            entry = codes[0]
        else:
            if codes not in sets:
                sets[codes] = len(pool)
                pool += [len(codes)] + list(codes)
            entry = HETERONYM_FLAG | sets[codes]
        if (entry & ~HETERONYM_FLAG) > CODE_MASK:
            fail("the pool of heteronyms has outgrown its bits")
        entries[code] = entry | (PHRASE_FLAG if code in starts else 0)

    size = 1 << PAGE_BITS
    last = max(entries)
    page_of, pages, numbers = [], [[0] * size], {tuple([0] * size): 0}
    for base in range(0, last + 1, size):
        page = tuple(entries.get(code, 0) for code in range(base, base + size))
        if page not in numbers:
            numbers[page] = len(pages)
            pages.append(list(page))
        page_of.append(numbers[page])

    body = []
    body.append("const char pinyin_letters[][PINYIN_LETTERS_WIDTH] = {\n%s\n};\nconst uint32_t pinyin_letters_count = %d;\n" % (
        rows(['""'] + ['"%s"' % text for text in letters], 16, "%s"), len(letters) + 1))
    body.append("const uint16_t pinyin_page_of[] = {\n%s\n};\nconst uint32_t pinyin_page_of_count = %d;\n" % (
        rows(page_of, 24, "%d"), len(page_of)))
    body.append("const uint16_t pinyin_entries[] = {\n%s\n};\n" % rows(itertools.chain(*pages), 24, "%d"))
    body.append("const uint16_t pinyin_heteronyms[] = {\n%s\n};\n" % rows(pool, 24, "%d"))

    lines = []
    for phrase in phrases:
        scalars = [ord(c) for c in phrase.text] + [0] * (MAXIMUM_PHRASE - len(phrase.text))
        codes = [code_of(s) for s in phrase.syllables] + [0] * (MAXIMUM_PHRASE - len(phrase.syllables))
        lines.append("  {{%s},{%s},%d,%d}" % (",".join("0x%X" % s for s in scalars), ",".join(map(str, codes)), len(phrase.text),
                                              {"surname": 1, "word": 2}[phrase.kind]))
    body.append("const struct pinyin_phrase pinyin_phrases[] = {\n%s\n};\nconst uint32_t pinyin_phrases_count = %d;\n" % (
        ",\n".join(lines), len(lines)))

    pairs = []
    for code, text in sorted(folding.items()):
        packed = sum(ord(character) << (8 * index) for index, character in enumerate(text))
        pairs.append("{0x%X,0x%X}" % (code, packed))
    body.append("const struct pinyin_folding pinyin_foldings[] = {\n%s\n};\nconst uint32_t pinyin_foldings_count = %d;\n" % (
        rows(pairs, 8, "%s"), len(pairs)))

    text = "\n".join(body)
    inputs = fnv1a(OVERRIDES.read_bytes(), fnv1a(Path(__file__).read_bytes()))
    head = (
        "// Made by Resources/pinyin/make-readings.py: do not edit; change the script or overrides.json and run it again.\n"
        "// From ICU %d.%d Han-Latin and Unihan %s: %d characters, %d syllables, %d exceptions, %d folded letters.\n"
        '#include "CPinyinTable.h"\n\n'
        "const uint64_t pinyin_inputs_digest = 0x%016Xu;\nconst uint64_t pinyin_contents_digest = 0x%016Xu;\n"
        "const uint32_t pinyin_icu_major = %d;\nconst uint32_t pinyin_icu_minor = %d;\n\n"
    ) % (readings.icu_major, readings.icu_minor, readings.unicode_version, len(entries), len(letters), len(phrases), len(folding),
         inputs, fnv1a(text.encode()), readings.icu_major, readings.icu_minor)
    return head + text


def review(readings, phrases):
    def show(syllable):
        return "%s%d" % syllable
    for phrase in phrases:
        print(phrase.kind, phrase.text, " ".join(map(show, phrase.syllables)), "" if phrase.explicit else "(variant)")


def main():
    overrides = json.loads(OVERRIDES.read_text(encoding="utf-8"))
    readings = Readings(overrides)
    phrases = read_phrases(readings, overrides)
    if "--review" in sys.argv:
        review(readings, phrases)
        return
    text = render(readings, phrases, latin_folding(readings))
    if "--check" in sys.argv:
        if OUTPUT.read_text(encoding="utf-8") != text:
            fail("%s is not what the script makes from these inputs" % OUTPUT)
        return
    OUTPUT.write_text(text, encoding="utf-8")
    print("\n".join(text.split("\n")[1:2]), "%d bytes of source" % len(text))


main()
