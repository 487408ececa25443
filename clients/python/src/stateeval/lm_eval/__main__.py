"""Prints the folder that --include_path of lm_eval takes."""

from pathlib import Path

print(Path(__file__).parent)
