-- Messages wait in lanes, one for each host they go to. What waits already finds its lane when it is next tried.
ALTER TABLE outbox ADD COLUMN lane text COLLATE "C" NOT NULL DEFAULT '';
UPDATE outbox SET lane = endpoint WHERE state = 'waiting';
CREATE INDEX outbox_lane ON outbox (workspace, lane, due_at) WHERE state = 'waiting';
