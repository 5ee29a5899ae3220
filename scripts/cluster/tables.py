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
    "truncated": "int",
    "windows": "int",
    "model": "string",
    "error": "string",
}


def read_jsonl(spark, folder):
    """Lines as the bytes they are; cut at LF alone."""
    lines = spark.read.text(folder, lineSep="\n")
    return lines.select(functions.col("value").cast("binary").alias("line")), []


def read_csv(spark, folder):
    """Spark's own reader, told RFC 4180: a file is never cut, since a quoted cell may hold a newline."""
    how = {"header": True, "multiLine": True, "quote": '"', "escape": '"', "enforceSchema": False}
    names = spark.read.csv(folder, **how).columns
    columns = [StructField(name, StringType()) for name in [*names, RAGGED]]
    cells = spark.read.csv(folder, schema=StructType(columns), columnNameOfCorruptRecord=RAGGED, **how)
    return cells.select(struct_of([*names, RAGGED]).alias("line"), struct_of(names).alias("kept")), columns[:-1]


def struct_of(names):
    return functions.struct(*[functions.col(f"`{name}`") for name in names])


def read_parquet(spark, folder):
    """A row as JSON, which leaves nulls out; the program takes texts from columns of strings."""
    rows = spark.read.parquet(folder)
    line = functions.to_json(struct_of(rows.columns)).cast("binary")
    return rows.select(line.alias("line"), struct_of(rows.columns).alias("kept")), rows.schema.fields


def write_jsonl(spark, scored, output):
    """How many rows were written, and how many of them are errors."""
    scored.map(lambda row: row[0]).saveAsTextFile(output)
    written = spark.read.text(output, lineSep="\n")
    return written.count(), written.filter(functions.col("value").contains(',"error":')).count()


def parquet_columns(fields, prefix):
    """The verdict's columns; a row of JSONL has no others, so it keeps its id."""
    verdict = VERDICT if fields else {"id": "string"} | VERDICT
    for field in fields:
        if field.name in {prefix + name for name in verdict}:
            sys.exit(f"spark: column {field.name} clashes with one of the verdict; --column-prefix TEXT renames those")
    return verdict


def write_parquet(spark, scored, output, fields, prefix):
    """The same, with the input's columns before those of the verdict."""
    verdict = parquet_columns(fields, prefix)
    answer = "headlight answer"
    rows = spark.createDataFrame(
        scored.map(lambda row: (*row[1], row[0])),
        StructType([*fields, StructField(answer, StringType())]),
        verifySchema=False,
    )
    schema = ", ".join(f"`{name}` {kind}" for name, kind in verdict.items())
    parsed = rows.withColumn(answer, functions.from_json(functions.col(f"`{answer}`"), schema))
    ours = [functions.col(f"`{answer}`.`{name}`").alias(prefix + name) for name in verdict]
    parsed.select(*[functions.col(f"`{field.name}`") for field in fields], *ours).write.parquet(output)
    written = spark.read.parquet(output)
    return written.count(), written.filter(functions.col(f"`{prefix}error`").isNotNull()).count()
