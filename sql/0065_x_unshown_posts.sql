-- Posts that X returned and billed and that a session cannot show: withheld in some country, or damaged. Ids only.

ALTER TABLE x_search_session
    ADD COLUMN withheld   text[] NOT NULL DEFAULT '{}',
    ADD COLUMN unreadable text[] NOT NULL DEFAULT '{}';
