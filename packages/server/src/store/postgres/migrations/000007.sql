-- What lists of open holds are sorted and filtered by. Only open holds are listed this way, so a settled one costs
-- nothing here. A server of the version before may still place holds: the defaults sort them last.
ALTER TABLE hold ADD COLUMN ends_at bigint NOT NULL DEFAULT 9007199254740991;
ALTER TABLE hold ADD COLUMN tool text COLLATE "C";
ALTER TABLE hold ADD COLUMN ask_type text COLLATE "C";
ALTER TABLE hold ADD COLUMN assignee text COLLATE "C";
ALTER TABLE hold ADD COLUMN is_opened bigint NOT NULL DEFAULT 0;
-- `->` leaves escapes as they are; `->>` would refuse a body with an escaped NUL in it. A tool whose name needs an
-- escape is listed under its name from its next change on.
UPDATE hold SET
  ends_at = least(
    coalesce((body::json -> 'expiresAt')::text::numeric::bigint, 9007199254740991),
    coalesce((body::json -> 'deadlineAt')::text::numeric::bigint, 9007199254740991)),
  tool = nullif(left(substring((body::json -> 'ask' -> 'context' -> 'tool')::text FROM '^"([^"\\]*)"$'), 200), ''),
  ask_type = substring((body::json -> 'ask' -> 'type')::text FROM '^"([^"\\]*)"$'),
  is_opened = CASE WHEN (body::json -> 'openedAt') IS NULL THEN 0 ELSE 1 END
-- Written so that the whole table is read once, in its own order.
WHERE status || '' = 'open';
CREATE INDEX hold_urgency ON hold (workspace, ends_at, id, creator, tool, ask_type, assignee, is_opened)
  WHERE status = 'open';
CREATE INDEX hold_open_tool ON hold (workspace, tool, ends_at, id, creator, ask_type, assignee, is_opened)
  WHERE status = 'open' AND tool IS NOT NULL;
CREATE INDEX hold_open_assignee ON hold (workspace, assignee, ends_at, id) WHERE status = 'open' AND assignee IS NOT NULL;
