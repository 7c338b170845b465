-- Which results of a search somebody opened. With search_feedback, it tells how good the search is on questions of one's
-- own (document-locator evaluate --from-feedback).

CREATE TABLE search_opening (
    search_id bigint NOT NULL REFERENCES search_log ON DELETE CASCADE,
    file_id   text NOT NULL,
    opened_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (search_id, file_id)
);
