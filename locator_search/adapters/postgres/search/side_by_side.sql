-- name: planning
-- What the planner cannot know of a search. It takes a vector comparison for as cheap as that of two numbers; told that
-- workers are cheap, it lets several of them share a large scan. Hash joins of workers need more shared memory than
-- small containers have.
SET LOCAL jit = off;
SET LOCAL work_mem = '64MB';
SET LOCAL parallel_setup_cost = 100;
SET LOCAL parallel_tuple_cost = 0.001

-- name: without_scans
-- Indexes are used wherever one fits.
SET LOCAL enable_seqscan = off

-- name: with_scans
-- The planner decides again.
SET LOCAL enable_seqscan TO DEFAULT

-- name: without_workers
-- One process does the statement.
SET LOCAL max_parallel_workers_per_gather = 0

-- name: with_workers
-- The planner decides again.
SET LOCAL max_parallel_workers_per_gather TO DEFAULT

-- name: with_parameters
-- The plan does not hold the values: what a worker is sent of a long list is then the list, and not a plan with it.
SET LOCAL plan_cache_mode = force_generic_plan

-- name: with_values
-- The plan is made for the values again.
SET LOCAL plan_cache_mode TO DEFAULT
