"""Reads an offline run of Weights & Biases as its package wrote it, and prints what it holds as JSON."""

import json
import struct
import sys
from pathlib import Path

from wandb.proto.wandb_internal_pb2 import Record

BLOCK = 32768
HEADER = 7


def records(data):
    """Records of the file, which is a log of blocks as LevelDB has them, after a header of seven bytes."""
    assert data[:4] == b":W&B", data[:HEADER]
    at, parts = HEADER, b""
    while at + HEADER <= len(data):
        left = BLOCK - at % BLOCK
        if left < HEADER:
            at += left
            continue
        _, length, kind = struct.unpack("<IHB", data[at : at + HEADER])
        parts += data[at + HEADER : at + HEADER + length]
        at += HEADER + length
        if kind in (1, 4):
            record = Record()
            record.ParseFromString(parts)
            yield record
            parts = b""


folder = Path(sys.argv[1])
[path] = folder.glob("wandb/offline-run-*/*.wandb")
found = {"config": {}, "summary": {}, "artifacts": [], "tables": {}}
for record in records(path.read_bytes()):
    kind = record.WhichOneof("record_type")
    if kind == "run":
        found["run"] = [record.run.run_id, record.run.project, sorted(record.run.tags)]
        found["config"].update({one.key: json.loads(one.value_json) for one in record.run.config.update})
    elif kind == "summary":
        for one in record.summary.update:
            found["summary"][one.key or "/".join(one.nested_key)] = json.loads(one.value_json)
    elif kind == "artifact":
        found["artifacts"].append(record.artifact.type)
    elif kind == "exit":
        found["exit"] = record.exit.exit_code
    elif kind == "request" and record.request.WhichOneof("request_type") == "log_artifact":
        found["artifacts"].append(record.request.log_artifact.artifact.type)
for file in path.parent.glob("files/media/table/*.table.json"):
    name = file.name.split("_")[0]
    table = json.loads(file.read_text())
    found["tables"][name] = [dict(zip(table["columns"], row)) for row in table["data"]]
print(json.dumps(found))
