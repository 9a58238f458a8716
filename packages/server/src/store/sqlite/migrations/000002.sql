-- Messages that are settled are forgotten after a while, oldest first.
CREATE INDEX outbox_settled ON outbox (created_at, workspace, id) WHERE state <> 'waiting';
