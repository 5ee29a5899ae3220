"""Tables and JSON as spreadsheets, scripts and `cat` leave them, for `scripts/check field`."""

import json
import subprocess
from typing import NamedTuple

from common import program

BOM = b"\xef\xbb\xbf"
AB = b'{"text":"a"}\n{"text":"b"}\n'


class Case(NamedTuple):
    report: str  # an issue of GitHub, or what writes such files
    name: str  # of the file
    content: bytes
    options: str
    texts: list | None  # or "error: PART"; None: the file is refused
    said: str  # a part of standard error


CASES = [Case(*row) for row in [
    # Blank lines and rows without a cell
    ("jvalue/ods#290", "r.csv", b"text,x\na,1\nb,2\n\n\n\n", "", ["a", "b"], ""),
    ("Nero5023/CSVParser#6", "r.csv", b"text,x\r\na,1\r\nb,2\r\n\r\n", "", ["a", "b"], ""),
    ("mplewis/csvtomd#3", "r.csv", b"\ntext,x\n\na,1\n\nb,2\n\n,\n\n", "", ["a", "b"], ""),
    ("parsecsv/parsecsv-for-php#47", "r.csv", b"text,x\na,1\nb,2\n", "", ["a", "b"], ""),
    ("openmrs-module-initializer#268", "r.csv", b"text,x\na,1\n   \nb,2\n \t\n", "", ["a", "b"], ""),
    ("evanplaice/jquery-csv#14", "r.csv", b"text\na\n\nb\n", "", ["a", "b"], ""),
    ("mholt/PapaParse#347", "r.tsv", b"text\tx\na\t1\nb\t2\n\n\n", "", ["a", "b"], ""),
    ("adaltas/node-csv-parse#122", "r.csv", b"text,x\na,1\nb,2\n\n\n", "--delimiter ,", ["a", "b"], ""),
    ("mholt/PapaParse#161", "r.csv", b"text,x\na,1\n", "", ["a"], ""),
    ("Excel, deleted rows", "r.csv", b"text,x,y\na,1,\n,,\n,,\nb,2,\n,,\n", "", ["a", "b"], ""),
    ("Excel, deleted rows", "r.tsv", b"text\tx\na\t1\n\t\nb\t2\n\t\n", "", ["a", "b"], ""),
    ("csv.QUOTE_ALL of Python", "r.csv", b'text,x\n"",""\n"b","2"\n', "", ["", "b"], "1 empty text"),
    ("wandb/rai-toolkit#82", "r.jsonl", b'\n{"text":"a"}\n\n[]\n', "", ["a", "error: not a JSON object"], "line 4"),
    ("echo >> rows.jsonl", "r.jsonl", AB + b"\n", "", ["a", "b"], ""),
    ("Windows editors", "r.ndjson", AB.replace(b"\n", b"\r\n") + b"\r\n\r\n", "", ["a", "b"], ""),
    ("a text a line", "r.txt", b"a\n\nb\n", "", ["a", "", "b"], "1 empty text"),
    # Columns without a name, surplus cells
    ("votingworks/arlo#525", "r.csv", b"text,x,,\na,1,,\nb,2,,\n", "", ["a", "b"], ""),
    ("fsprojects/FSharp.Data#688", "r.csv", b"x,text,\n1,a\n2,b\n", "", ["a", "b"], ""),
    ("pandas-dev/pandas#14124", "r.csv", b"x,text\n1,a,\n2,b,\n", "", ["a", "b"], ""),
    ("deephaven/deephaven-core#1800", "r.csv", b"x|text|\n1|a|\n2|b|\n", "--delimiter |", ["a", "b"], ""),
    ("alphagov/notifications-utils#1169", "r.csv", b",,,text\n,,,a\n,,,b\n", "", ["a", "b"], ""),
    ("probcomp/bayeslite#477", "r.csv", b",text,x\n0,a,1\n1,b,2\n", "", ["a", "b"], ""),
    ("tidyverse/readr#571", "r.csv", b"x,text,\n1,a,\n", "", ["a"], ""),
    ("duckdb/duckdb#7196", "r.csv", b"x,y,text,\n1,2,a\n", "", ["a"], ""),
    ("a comma too many", "r.csv", b"text,x\na,1,z\nb,2\n", "", ["error: has 3 cells", "b"], "row 0 (line 2)"),
    ("dilshod/xlsx2csv#3", "r.csv", b"text,x,y\na,1\n", "", ["error: has 2 cells"], ""),
    # Byte-order marks and line ends
    ("benhoyt/goawk#126", "r.csv", BOM + b"text,x\na,1\n", "", ["a"], ""),
    ("airbreather/Cursively#14", "r.csv", BOM + b'"text","x"\n"a, b",1\n', "", ["a, b"], ""),
    ("C2FO/fast-csv#131", "r.tsv", BOM + b"text\tx\na\t1\n", "", ["a"], ""),
    ("a mark that was saved twice", "r.csv", BOM + BOM + b"text,x\na,1\n", "", ["a"], ""),
    ("cat of files with marks", "r.jsonl", BOM + AB + BOM + AB, "", ["a", "b", "a", "b"], ""),
    ("cat of files with marks", "r.txt", BOM + b"a\n" + BOM + b"b\n", "", ["a", "b"], ""),
    ("cat of files with marks", "r.csv", 2 * (BOM + b"text,x\na,1\n"), "", ["a", "a"], "line 3 is the header again"),
    ("Excel for Macintosh", "r.csv", b"text,x\ra,1\rb,2\r", "", ["a", "b"], ""),
    ("Excel for Macintosh", "r.txt", b"a\rb\r", "", ["a", "b"], ""),
    ("apache/superset#32654", "R.CSV", b"text,x\na,1\n", "", ["a"], ""),
    ("h2oai/h2o-llmstudio#928", "R.JSONL", AB, "", ["a", "b"], ""),
    ("Excel's first line", "r.csv", b"sep=;\ntext;x\na;1\n", "", ["a"], ""),
    # Headers
    ("cat a.csv b.csv", "r.csv", 2 * b"text,x\na,1\n", "", ["a", "a"], "line 3 is the header again"),
    ("cat of other columns", "r.csv", b"text,x\na,1\nx,text\n1,a\n", "", None, "line 3 is a header with other places"),
    ("a list of words", "r.csv", b"text\ntext\n", "", ["text"], ""),
    # Quotes
    ("intellij-csv-validator#9", "r.csv", b'text,x\n"a \\"b\\"!",1\n', "--escape \\", ['a "b"!'], ""),
    ("intellij-csv-validator#9", "r.csv", b'text,x\n"a \\"b\\"!",1\n', "", ['a \\b\\"!"'], "--escape '\\'"),
    ("BurntSushi/rust-csv#222", "r.csv", b'x,text\n1,"a \\", b"\n', "--escape \\", ['a ", b'], ""),
    ("BurntSushi/rust-csv#222", "r.csv", b'x,text\n1,"a \\", b"\n', "", ["error: has 3 cells"], "--escape '\\'"),
    ("adaltas/node-csv#42", "r.csv", b'x,text\n0,"\\"qux\\""\n', "--escape \\", ['"qux"'], ""),
    ("adaltas/node-csv-parse#102", "r.csv", b"text,x\n\\,b\\,,c\n", "--escape \\", [",b,"], ""),
    ("mholt/PapaParse#67", "r.csv", b'text,x\n""",""",1\n', "", ['","'], ""),
    ("mafintosh/csv-parser#41", "r.csv", b'text\n""""""\n"test"\n', "", ['""', "test"], ""),
    ("davedelong/CHCSVParser#85", "r.csv", b'x,text\n1,"Movie\n"\n', "", ["Movie\n"], ""),
    ("adaltas/node-csv#435", "r.csv", b'text\nThe ""fit"" one\n', "", ['The ""fit"" one'], ""),
    ("stevehansen/csv#35", "r.csv", b'text;x\n"B \\""";"C"\n', "--delimiter ;", ['B \\"'], ""),
    ("isaacs/github#848", "r.tsv", b'text\tx\nsay "a" now\t1\n', "", ['say "a" now'], ""),
    ("hurlbertlab/dietdatabase#43", "r.tsv", b'"text"\t"x"\n"a"\t1\n', "", None, "--delimiter tab"),
    ("clarin-eric/ParlaMint#939", "r.tsv", b'text\tx\n"a ""b"""\t1\n', "", ['"a ""b"""'], "--delimiter tab"),
    ("clarin-eric/ParlaMint#939", "r.tsv", b'text\tx\n"a ""b"""\t1\n', "--delimiter tab", ['a "b"'], ""),
    ("kohii/smoothcsv3#122", "r.tsv", b'x\ttext\n1\t"A friend" of Bob\n', "", ['"A friend" of Bob'], ""),
    ("nao1215/filesql#268", "r.tsv", b"text\tx\n5'9\" tall\t1\n", "", ["5'9\" tall"], ""),
    # JSON
    ("huggingface/datasets#6891", "r.json", AB, "", ["a", "b"], ""),
    ("huggingface/datasets#1784", "r.json", b'[{"text":"a"},{"text":"b"}]', "", ["a", "b"], ""),
    ("apache/spark#3517", "r.json", b'[\n {\n  "text": "a"\n },\n {\n  "text": "b"\n }\n]\n', "", ["a", "b"], ""),
    ("json.dump of nothing", "r.json", b"[]", "", [], ""),
    ("a download that was cut", "r.json", b'[{"text":"a"},\n{"text":"b"}', "", ["a", "b"], "not closed by ]"),
    ("one bad element", "r.json", b'[{"text":"a"},{"text":b}]', "", ["a", "error: not valid JSON"], ""),
    # Encodings
    ("weareasterisk/gavel2#12", "r.csv", b"text\nit\x92s\nb\n", "", ["error: UTF-8", "b"], "iconv -f WINDOWS-1252"),
    ("PaulMcInnis/JobFunnel#56", "r.csv", b"text\nMontr\xe9al\n", "", ["error: UTF-8"], "iconv -f WINDOWS-1252"),
    ("doccano/doccano#88", "r.csv", b"\xff\xfet\0e\0x\0t\0\n\0", "", None, "UTF-16"),
    ("Excel in Russia", "r.csv", "text\nПривет, мир\n".encode("cp1251"), "", ["error: UTF-8"], "iconv -f WINDOWS-1251"),
    ("Excel in Japan", "r.csv", "text\nとても面白い\n".encode("cp932"), "", ["error: UTF-8"], "iconv -f SHIFT_JIS"),
    ("Excel in China", "r.csv", "text\n非常好看的电影\n".encode("gb18030"), "", ["error: UTF-8"], "iconv -f GB18030"),
    ("head -c", "r.txt", "ää ö".encode()[:-1], "", ["error: UTF-8"], "iconv -c -f UTF-8"),
    # Missing values
    ("flairNLP/flair#613", "r.jsonl", b'{"t":"a","b":null}\n{"t":"a"}\n', "--text t --text b", ["a ", "a "], ""),
    ("flairNLP/flair#613", "r.csv", b"t,b\na,\n,b\n", "--text t --text b", ["a ", " b"], ""),
    ("Spark's to_json", "r.jsonl", b'{"text":"a"}\n{"id":1}\n', "", ["a", ""], "1 empty text"),
    ("json.dumps of a NaN", "r.jsonl", b'{"text":NaN}\n', "--missing error", ["error: is missing"], ""),
    ("DataFrame.to_csv of a NaN", "r.csv", b"x,text\n1,\n", "--missing error", ["error: is missing"], ""),
    ("pandas-dev/pandas#55032", "r.csv", b"text,x\nNA,1\n", "", ["NA"], "--null NA"),
    ("pandas-dev/pandas#32084", "r.csv", b"text,x\nnull,1\n", "--null null --missing error", ["error: is missing"], ""),
    ("JuliaData/CSV.jl#1077", "r.csv", b"text,x\nN/A,1\n", "", ["N/A"], "--null N/A"),
    ("doccano's export", "r.jsonl", b'{"id":1,"data":"a"}\n', "", None, 'no field "text"; its first row has id, data'),
]]  # fmt: skip


def read(file, options):
    done = subprocess.run(
        [program.path(), "batch", file, "--echo-text", "--format", "jsonl", *options.split()],
        capture_output=True,
        text=True,
    )
    return done, [json.loads(line) for line in done.stdout.split("\n") if line]


def is_right(row, expected):
    if expected.startswith("error: "):
        return expected.removeprefix("error: ") in row.get("error", "")
    return row.get("text") == expected


def complaints(case, folder):
    file = folder / case.name
    file.write_bytes(case.content)
    done, rows = read(file, case.options)
    texts = case.texts or []
    has_errors = any(text.startswith("error: ") for text in texts)
    status = 1 if case.texts is None else 3 if has_errors else 0
    wrong = []
    if done.returncode != status:
        wrong.append(f"status {done.returncode}, expected {status}")
    if status != 1 and (len(rows) != len(texts) or not all(map(is_right, rows, texts))):
        wrong.append(f"read as {rows}, expected {texts}")
    is_noisy = not case.said and not has_errors and len(done.stderr.strip().split("\n")) > 1
    if is_noisy or case.said not in done.stderr:
        wrong.append(f"said {done.stderr.strip()!r}, expected {case.said!r}")
    return [f"{case.name} {case.options}: {complaint}" for complaint in wrong]
