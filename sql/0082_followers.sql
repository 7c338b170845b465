-- A document has the key of the file it was first found in: that file's id and a blank before the rest. The other files
-- of documents are few and are found by this index; who counts 100,000 hits looks at no other row.

CREATE INDEX file_document_followers ON file_document (document_key)
    WHERE NOT starts_with(document_key, file_id || ' ');
