-- Who writes files and finds another one at the counts of the keyword search does not wait for it any more, but leaves
-- its changes here; the next one that finds nobody there adds them. What is true is the sum of both, which the views
-- show.

CREATE TABLE keyword_change (
    term   text NOT NULL,
    change integer NOT NULL
);
CREATE INDEX keyword_change_term ON keyword_change (term);

CREATE TABLE keyword_total_change (
    chunks       bigint NOT NULL,
    total_length bigint NOT NULL
);

CREATE VIEW term_in_index AS
SELECT term, sum(change)::integer AS document_frequency
FROM (
    SELECT term, document_frequency AS change FROM keyword_term UNION ALL SELECT term, change FROM keyword_change
) AS both_places
GROUP BY term;

CREATE VIEW index_total AS
SELECT sum(chunks)::bigint AS chunks, sum(total_length)::bigint AS total_length
FROM (
    SELECT chunks, total_length FROM keyword_total UNION ALL SELECT chunks, total_length FROM keyword_total_change
) AS both_places;
