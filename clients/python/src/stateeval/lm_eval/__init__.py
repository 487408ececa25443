"""A task for lm-evaluation-harness: a benchmark of a running suite.

    lm_eval --include_path "$(python -m stateeval.lm_eval)" --tasks stateeval ...

The harness asks the model; the suite gives the prompts, runs the answers and scores them, as an
evaluation with a report. STATEEVAL_URL and STATEEVAL_API_KEY say where the suite is.
"""
