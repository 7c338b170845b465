-- A root says what is wrong with the rules who may read it; it had said that a folder cannot be opened.

ALTER TABLE source_root ADD COLUMN rules text NOT NULL DEFAULT '';
