"""What scripts/spark reads and writes: lines, tables, and verdicts as columns beside those of the input.

The driver runs these functions; what runs on executors is in spark.py.
"""

import sys

from pyspark.sql import functions
from pyspark.sql.types import StringType, StructField, StructType

RAGGED = "a row of another length"
# The columns of a verdict in Parquet.
VERDICT = {
    "label": "string",
    "probability": "float",
    "value": "float",
    "values": "map<string,float>",
    "labels": "array<struct<label:string,probability:float>>",
    "probabilities": "map<string,float>",
    "logits": "map<string,float>",
    "entities": "array<struct<label:string,text:string,start:int,end:int,probability:float>>",
    "unknown": "int",
    "truncated": "int",
    "windows": "int",
    "model": "string",
    "error": "string",
}


def read_jsonl(spark, folder):
    """Rows as one column, the line that the program takes of it, and its fields; lines are cut at LF alone."""
    lines = spark.read.text(folder, lineSep="\n")
    return lines.select(functions.col("value").cast("binary").alias("row")), functions.col("row"), []


def read_csv(spark, folder):
    """Spark's own reader, told RFC 4180: a file is never cut, since a quoted cell may hold a newline.

    A ragged row goes without its texts, which makes it an error row.
    """
    how = {"header": True, "multiLine": True, "quote": '"', "escape": '"', "enforceSchema": False}
    names = spark.read.csv(folder, **how).columns
    columns = [StructField(name, StringType()) for name in [*names, RAGGED]]
    cells = spark.read.csv(folder, schema=StructType(columns), columnNameOfCorruptRecord=RAGGED, **how)
    ragged = functions.col(f"row.`{RAGGED}`")
    whole = functions.to_json(functions.struct(*[cell(name) for name in names]))
    rest = functions.to_json(functions.struct(*[cell(name) for name in names if name == "id"], ragged))
    line = functions.when(ragged.isNull(), whole).otherwise(rest)
    return cells.select(struct_of([*names, RAGGED]).alias("row")), line.cast("binary"), columns[:-1]


def cell(name):
    return functions.coalesce(functions.col(f"row.`{name}`"), functions.lit("")).alias(name)


def struct_of(names):
    return functions.struct(*[functions.col(f"`{name}`") for name in names])


def read_parquet(spark, folder):
    """A row as JSON, which leaves nulls out; the program takes texts from columns of strings."""
    rows = spark.read.parquet(folder)
    return (
        rows.select(struct_of(rows.columns).alias("row")),
        functions.to_json("row").cast("binary"),
        rows.schema.fields,
    )


def parquet_columns(fields, prefix):
    """The verdict's columns; a row of JSONL has no others, so it keeps its id."""
    verdict = VERDICT if fields else {"id": "string"} | VERDICT
    for field in fields:
        if field.name in {prefix + name for name in verdict}:
            sys.exit(f"spark: column {field.name} clashes with one of the verdict; --column-prefix TEXT renames those")
    return verdict


def write_parquet(rows, answer, output, fields, prefix):
    """Writes the input's columns before those of the verdict; gives how many rows there are, and how many errors."""
    verdict = parquet_columns(fields, prefix)
    schema = ", ".join(f"`{name}` {kind}" for name, kind in verdict.items())
    parsed = rows.select("row", answer.alias("answer")).withColumn("answer", functions.from_json("answer", schema))
    ours = [functions.col(f"answer.`{name}`").alias(prefix + name) for name in verdict]
    kept = [functions.col(f"row.`{field.name}`") for field in fields]
    return write_counted(parsed.select(*kept, *ours), output, prefix)


def write_counted(table, output, prefix):
    table.write.parquet(output)
    written = table.sparkSession.read.parquet(output)
    return written.count(), written.filter(functions.col(f"`{prefix}error`").isNotNull()).count()
