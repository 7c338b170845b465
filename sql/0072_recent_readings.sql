-- How long files took to be read within the last hour is asked twice a minute: without a look at all of them. Rows are
-- written in the order of their time, so the smallest kind of index does.
CREATE INDEX extracted_text_created ON extracted_text USING brin (created_at);
