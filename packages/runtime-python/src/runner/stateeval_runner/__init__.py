"""
The process inside the jail that runs Python: it imports what candidates need once, then forks a child for each job.
Candidate code runs in the child only. Nothing of this package is secret, and nothing that a child says is believed.
"""
