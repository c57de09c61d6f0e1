#!/bin/sh
# Makes icu-data.o, with the data of ICU that the program uses, and icu-data.ld, by which the linker takes it instead of
# that in the libraries: Scripts/icu-data/trim.sh SWIFT FOLDER. The system's ICU has 31 MB, Foundation's 34 MB. A library
# that is not there in static form is left out.
set -eu
folder=$2
here=$(cd "$(dirname "$0")" && pwd)
toolchain=$(dirname "$(dirname "$(readlink -f "$(command -v "$1")")")")
clang=$toolchain/bin/clang
mkdir -p "$folder"
cd "$folder"

# part LIBRARY FOLDER-OF-HEADERS HEADER PATTERN…: adds the data of a library.
part() {
  library=$1 headers=$2 header=$3 name=$(basename "$1" .a)
  shift 3
  [ -f "$library" ] || return 0
  "$clang" -O -Wall -I "$headers" -DUTYPES="<$header>" "$here/trim.c" "$library" -o "$name.trim" 2>trim.log || {
    cat trim.log >&2
    echo "$library has no data as expected; all of it is linked." >&2
    return 0
  }
  symbol=$("./$name.trim" "$name.dat" "$@")
  rm "$name.trim"
  printf '.globl addressbook_%s\n.balign 16\naddressbook_%s:\n.incbin "%s.dat"\n' "$symbol" "$symbol" "$name"
  # The library's object with all of the data is not referred to then, and is left out.
  echo "$symbol = addressbook_$symbol;" >>icu-data.ld
}

: >icu-data.ld
{
  echo '.section .rodata'
  # What CICU asks for: the orders and the index letters of all locales, normalization, Han-Latin. Their names come along:
  # ulocdata_open takes a locale without any for an unknown one.
  part "$PWD/libicudata.a" /usr/include unicode/utypes.h \
    '*.res' '*.nrm' '*.icu' -unames.icu 'coll/*' 'lang/*' 'translit/*'
  # What Foundation may: regular expressions, case, boundaries, time zones; locales only in English and Chinese.
  part "$toolchain/lib/swift_static/linux/lib_FoundationICU.a" "$toolchain/lib/swift_static" _foundation_unicode/utypes.h \
    '*.res' '-[a-z][a-z].res' '-[a-z][a-z]_*.res' '-[a-z][a-z][a-z].res' '-[a-z][a-z][a-z]_*.res' res_index.res \
    'en.res' 'en_*.res' 'zh.res' 'zh_*.res' '*.nrm' '*.icu' -unames.icu coll/root.res coll/ucadata.icu \
    brkitr/root.res 'brkitr/*.brk'
  echo '.section .note.GNU-stack,"",%progbits'
} >icu-data.s
"$clang" -c icu-data.s -o new.o
rm -f icu-data.s trim.log ./*.dat
# The program is linked again if it is newer.
cmp -s new.o icu-data.o || cp new.o icu-data.o
rm new.o
