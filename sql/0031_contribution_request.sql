-- What a person asked for on a surface that does none of it itself; the sensor turns it into runs.

CREATE TABLE contribution_request (
    kind         text NOT NULL CHECK (kind IN ('sync', 'index')),
    target       text NOT NULL,  -- a contribution; '' to list the newest meetings
    requested_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (kind, target)
);
