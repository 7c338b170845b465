-- Questions people keep, to put them to other contributions again; and analyses that answer one.

CREATE TABLE contribution_question (
    owner      text NOT NULL,  -- as of contribution_analysis
    name       text NOT NULL CHECK (name <> ''),
    question   text NOT NULL CHECK (question <> ''),
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (owner, name)
);
