"""The ground everything else stands on: errors, retries, deadlines, masking, the branching search's flow."""
