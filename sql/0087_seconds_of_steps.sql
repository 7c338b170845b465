-- Where the time of searches and of models goes.

ALTER TABLE search_log ADD COLUMN step_seconds jsonb NOT NULL DEFAULT '{}';  -- by kind of step: those of `seconds`
ALTER TABLE model_usage ADD COLUMN seconds double precision NOT NULL DEFAULT 0;  -- until models answered; 0: not measured
