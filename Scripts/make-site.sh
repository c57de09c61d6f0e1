#!/bin/sh
# Makes a small static site from the documents, in the folder with the documentation of the libraries
# (Scripts/make-docs.sh):
#   Scripts/make-site.sh FOLDER [MODULE…]
# A link to a missing file or heading is an error.
set -eu
folder=$1
shift
source=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$folder/Pictures"
cp "$source"/Documentation/Pictures/*.svg "$folder/Pictures/"

# page NAME LANGUAGE FILE: writes a document as a page.
page() {
  title=$(sed -n 's/^# //p' "$3" | head -n 1)
  {
    cat <<HTML
<!doctype html>
<html lang="$2">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>$title</title>
<style>
body { font: 16px/1.5 sans-serif; max-width: 60rem; margin: 0 auto; padding: 1rem; }
nav a { margin-right: 1rem; }
pre, code { font-family: monospace; font-size: 14px; }
pre { overflow-x: auto; padding: .5rem; border: 1px solid #8886; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
td, th { border: 1px solid #8886; padding: .2rem .5rem; text-align: left; vertical-align: top; }
img { max-width: 100%; }
</style>
<nav><a href="index.html">addressbook</a><a href="zh-Hans.html">中文</a><a href="documents.html">Documentation</a><a href="a-z.html">Index</a><a href="libraries.html">Libraries</a></nav>
HTML
    # --unsafe keeps raw HTML, which is safe here: the documents are the project's own.
    cmark-gfm --unsafe -e table -e autolink "$3" |
      sed -e 's|href="\(Documentation/\)*Index\.md|href="a-z.html|g' -e 's|"Documentation/Pictures/|"Pictures/|g' -e 's|href="Documentation/README\.md|href="documents.html|g' \
        -e 's|href="Documentation/\([A-Za-z]*\)\.md|href="\1.html|g' -e 's|<a href="\(\.\./\)*Examples/[^>]*>\([^<]*\)</a>|\2|g' \
        -e 's|href="README\.zh-Hans\.md|href="zh-Hans.html|g' -e 's|href="\(\.\./\)*README\.md|href="index.html|g' \
        -e 's|href="\(\.\./\)*\([A-Za-z]*\)\.md|href="\2.html|g' \
        -e 's|href="\(\.\./\)*Sources/[^"]*"|href="libraries.html"|g' -e 's|href="LICENSE"|href="LICENSE.txt"|g'
  } >"$folder/$1.html"
}

page index en "$source/README.md"
page zh-Hans zh-Hans "$source/README.zh-Hans.md"
page documents en "$source/Documentation/README.md"
# Not Index.html, which some file systems take for index.html.
page a-z en "$source/Documentation/Index.md"
sed -i "/<\/h1>/r $source/Scripts/index-search.html" "$folder/a-z.html"
for document in "$source"/Documentation/*.md "$source/ARCHITECTURE.md" "$source/CONTRIBUTING.md" "$source/CHANGELOG.md"; do
  case $document in
    */Documentation/README.md | */Documentation/Index.md) ;;
    *) page "$(basename "$document" .md)" en "$document" ;;
  esac
done
cp "$source/LICENSE" "$folder/LICENSE.txt"
libraries=$(mktemp)
trap 'rm -f "$libraries"' EXIT
{
  printf '# Libraries\n\nThe documentation of the libraries, made by DocC. It needs a web server: `python3 -m http.server -d %s/MODULE`.\n\n' "$folder"
  for module in "$@"; do
    printf -- '- [%s](%s/documentation/%s/index.html)\n' "$module" "$module" "$(echo "$module" | tr '[:upper:]' '[:lower:]')"
  done
} >"$libraries"
page libraries en "$libraries"

"$source/Scripts/link-site.py" "$folder"
echo "$folder/index.html"
