-- name: put_meeting
-- A meeting, new or refreshed.
INSERT INTO contribution_meeting (meeting_id, group_name, folder, name, synced_at)
VALUES (%(meeting_id)s, %(group)s, %(folder)s, %(name)s, %(synced_at)s)
ON CONFLICT (meeting_id) DO UPDATE SET
    group_name = EXCLUDED.group_name, folder = EXCLUDED.folder, name = EXCLUDED.name, synced_at = EXCLUDED.synced_at

-- name: put_contribution
-- A contribution, new or refreshed; returns its id where something changed. A row that changes in nothing is not
-- written: the command line lists whole meetings again and again.
INSERT INTO contribution (contribution_id, meeting_id, number, title, source, agenda_item, kind, status, revision_of,
                          revised_to, details)
VALUES (%(contribution_id)s, %(meeting_id)s, %(number)s, %(title)s, %(source)s, %(agenda_item)s, %(kind)s, %(status)s,
        %(revision_of)s, %(revised_to)s, %(details)s)
ON CONFLICT (contribution_id) DO UPDATE SET
    title = EXCLUDED.title, source = EXCLUDED.source, agenda_item = EXCLUDED.agenda_item, kind = EXCLUDED.kind,
    status = EXCLUDED.status, revision_of = EXCLUDED.revision_of, revised_to = EXCLUDED.revised_to,
    details = EXCLUDED.details
WHERE (contribution.title, contribution.source, contribution.agenda_item, contribution.kind, contribution.status,
       contribution.revision_of, contribution.revised_to, contribution.details)
    IS DISTINCT FROM (EXCLUDED.title, EXCLUDED.source, EXCLUDED.agenda_item, EXCLUDED.kind, EXCLUDED.status,
                      EXCLUDED.revision_of, EXCLUDED.revised_to, EXCLUDED.details)
RETURNING contribution_id

-- name: put_file
-- A file of the archive; returns its contribution where the archive shows something new. It has no body then until it
-- is fetched again.
INSERT INTO contribution_file (path, contribution_id, size, modified_at)
VALUES (%(path)s, %(contribution_id)s, %(size)s, %(modified_at)s)
ON CONFLICT (path) DO UPDATE SET
    contribution_id = EXCLUDED.contribution_id, size = EXCLUDED.size, modified_at = EXCLUDED.modified_at,
    stored_as = NULL, sha256 = NULL
WHERE (contribution_file.contribution_id, contribution_file.size, contribution_file.modified_at)
    IS DISTINCT FROM (EXCLUDED.contribution_id, EXCLUDED.size, EXCLUDED.modified_at)
RETURNING contribution_id

-- name: list_again
-- Contributions are as if they were listed for the first time.
UPDATE contribution SET state = 'listed', reason = '', attempts = 0, updated_at = now()
WHERE contribution_id = ANY(%(contributions)s)

-- name: meetings
-- All meetings as the fields of Meeting.
SELECT meeting_id, group_name, folder, name, synced_at FROM contribution_meeting ORDER BY meeting_id

-- name: known
-- Contributions of a meeting (of all for NULL) with these ids (any for NULL): the fields of Contribution, those of
-- KnownContribution, and the cover page of the first document that has one.
SELECT contribution_id, meeting_id, number, title, source, agenda_item, kind, status, revision_of, revised_to, details,
       state, reason, pipeline_version, chunk_count, attempts, updated_at, coalesce(form.cover, '{}') AS cover
FROM contribution LEFT JOIN LATERAL (
    SELECT cover FROM contribution_document
    WHERE contribution_document.contribution_id = contribution.contribution_id AND cover <> '{}'
    ORDER BY document_id LIMIT 1
) AS form ON true
WHERE (%(meeting)s::text IS NULL OR meeting_id = %(meeting)s)
  AND (%(contributions)s::text[] IS NULL OR contribution_id = ANY(%(contributions)s))
ORDER BY meeting_id, number

-- name: files
-- The files of a contribution as the fields of ContributionFile.
SELECT path, contribution_id, size, modified_at, stored_as, sha256 FROM contribution_file
WHERE contribution_id = %(contribution)s ORDER BY path

-- name: record_body
-- Where the body of a file is kept, and its hash.
UPDATE contribution_file SET stored_as = %(stored_as)s, sha256 = %(sha256)s WHERE path = %(path)s

-- name: remove_documents
-- Deletes the documents of a contribution; returns their ids.
DELETE FROM contribution_document WHERE contribution_id = %(contribution)s RETURNING document_id

-- name: put_document
-- One document of a contribution.
INSERT INTO contribution_document (document_id, contribution_id, source_file, content_hash, state, reason, pages,
                                   stored_as, converted, normaliser_version, cover, document)
VALUES (%(document_id)s, %(contribution_id)s, %(source_file)s, %(content_hash)s, %(state)s, %(reason)s, %(pages)s,
        %(stored_as)s, %(converted)s, %(normaliser_version)s, %(cover)s, %(document)s)

-- name: documents
-- The documents of a contribution as the fields of NormalisedDocument.
SELECT document_id, contribution_id, source_file, content_hash, contribution_document.state,
       contribution_document.reason, pages, stored_as, converted, normaliser_version, cover, document, meeting_id,
       number AS contribution_number
FROM contribution_document JOIN contribution USING (contribution_id)
WHERE contribution_id = %(contribution)s ORDER BY document_id

-- name: document
-- One document as the fields of NormalisedDocument.
SELECT document_id, contribution_id, source_file, content_hash, contribution_document.state,
       contribution_document.reason, pages, stored_as, converted, normaliser_version, cover, document, meeting_id,
       number AS contribution_number
FROM contribution_document JOIN contribution USING (contribution_id)
WHERE document_id = %(document)s

-- name: document_states
-- How the documents of contributions were read, as the fields of DocumentState.
SELECT contribution_id, source_file, state, reason, pages, converted FROM contribution_document
WHERE contribution_id = ANY(%(contributions)s) ORDER BY contribution_id, source_file

-- name: set_state
-- What became of a contribution; failures count one more attempt, anything else resets the count.
UPDATE contribution SET
    state = %(state)s, reason = %(reason)s, pipeline_version = %(version)s, chunk_count = %(chunks)s,
    attempts = CASE WHEN %(state)s = 'failed' THEN attempts + 1 ELSE 0 END, updated_at = now()
WHERE contribution_id = %(contribution)s
