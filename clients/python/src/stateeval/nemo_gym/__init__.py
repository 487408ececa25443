"""A benchmark as an environment of NeMo Gym: `prepare` writes a project, `server` is what NeMo Gym starts there."""
