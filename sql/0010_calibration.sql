-- When the calibration of this index was measured, and how many files it had then.

ALTER TABLE index_profile
    ADD COLUMN calibrated_at timestamptz,
    ADD COLUMN calibrated_files integer CHECK (calibrated_files > 0);
