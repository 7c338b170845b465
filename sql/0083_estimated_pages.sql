-- Of each chunk, whether its page is known. What the documents of an index made before say of themselves, holds for their
-- chunks until they are made anew.

ALTER TABLE file_chunk ADD COLUMN page_is_estimated boolean NOT NULL DEFAULT false;
UPDATE file_chunk AS c SET page_is_estimated = true
FROM drive_file_index AS f WHERE f.file_id = c.file_id AND f.metadata ->> 'pages' <> 'exact';
