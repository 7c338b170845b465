"""The sample documents: the shared folder of a company that does not exist.

``texts`` holds what the documents say, one module per department; ``writers`` turns it into files, one module per
format; ``folder`` puts both together; ``questions`` knows what people would ask and which file answers.

    python -m tests.builders.sample_company samples

writes the same bytes every time and on every machine: no clock, no randomness, no compression.
"""
