"""Reads what `npx stateeval export` wrote with the libraries that people read it with, and prints what it found as JSON."""

import json
import sys

import datasets
import duckdb
import pyarrow.parquet as parquet

samples, csv, lines, reports, dataset = sys.argv[1:]

table = parquet.read_table(samples)
con = duckdb.connect()


def rows(sql):
    return [list(row) for row in con.sql(sql).fetchall()]


loaded = datasets.load_dataset(dataset, split="test")
found = {
    "columns": {field.name: str(field.type) for field in table.schema},
    "metadata": {k.decode(): v.decode() for k, v in (table.schema.metadata or {}).items()},
    "parquet": rows(f"select verdict, count(*) from '{samples}' group by all order by all"),
    "csv": rows(f"select verdict, count(*) from read_csv('{csv}') group by all order by all"),
    "jsonl": rows(f"select verdict, count(*) from read_json('{lines}') group by all order by all"),
    "reports": rows(f"select model, rate, scored from '{reports}' order by all"),
    "features": sorted(loaded.features),
    "cases": [json.loads(row["line"])["id"] for row in loaded],
    "lines": "".join(f"{row['line']}\n" for row in loaded),
    "card": datasets.load_dataset_builder(dataset).config.name,
}
print(json.dumps(found))
