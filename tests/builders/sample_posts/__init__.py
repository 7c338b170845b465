"""Makes the recorded sample of X search: `python -m tests.builders.sample_posts`. Everything in it is made up."""
