-- Who asked what and who opened which file, where permissions are on. No contents: questions with keys masked, and names.

CREATE TABLE audit_entry (
    at        timestamptz NOT NULL DEFAULT now(),
    person    text NOT NULL,  -- mail address
    kind    text NOT NULL CHECK (kind IN ('asked', 'opened')),
    surface   text NOT NULL,  -- page, command, mcp, library
    question  text NOT NULL,  -- empty for what was opened
    file_id   text NOT NULL,  -- empty for a question that is not about one file
    file_name text NOT NULL  -- with its folder, as it was then
);
CREATE INDEX audit_entry_at ON audit_entry (at);
