-- What lists of open holds are sorted and filtered by. Only open holds are listed this way, so a settled one costs
-- nothing here. A server of the version before may still place holds: the defaults sort them last.
ALTER TABLE hold ADD COLUMN ends_at bigint NOT NULL DEFAULT 9007199254740991;
ALTER TABLE hold ADD COLUMN tool text COLLATE "C";
ALTER TABLE hold ADD COLUMN ask_type text COLLATE "C";
ALTER TABLE hold ADD COLUMN assignee text COLLATE "C";
ALTER TABLE hold ADD COLUMN is_opened bigint NOT NULL DEFAULT 0;
-- Escapes are taken out first, because the database's JSON refuses an escaped NUL. A tool whose name needs one is listed
-- under its real name from its next change on. Written so that the whole table is read once, in its own order.
UPDATE hold SET
  ends_at = least(
    coalesce((seen.body ->> 'expiresAt')::numeric::bigint, 9007199254740991),
    coalesce((seen.body ->> 'deadlineAt')::numeric::bigint, 9007199254740991)),
  tool = CASE WHEN json_typeof(seen.body -> 'ask' -> 'context' -> 'tool') = 'string'
    THEN nullif(left(seen.body -> 'ask' -> 'context' ->> 'tool', 200), '') END,
  ask_type = seen.body -> 'ask' ->> 'type',
  is_opened = CASE WHEN seen.body ->> 'openedAt' IS NULL THEN 0 ELSE 1 END
FROM (
  SELECT ctid AS place, regexp_replace(body, '(?<!\\)((?:\\\\)*)\\u[0-9a-fA-F]{4}', '\1?', 'g')::json AS body
  FROM hold WHERE status || '' = 'open'
) AS seen
WHERE hold.ctid = seen.place;
CREATE INDEX hold_urgency ON hold (workspace, ends_at, id, creator, tool, ask_type, assignee, is_opened)
  WHERE status = 'open';
CREATE INDEX hold_open_tool ON hold (workspace, tool, ends_at, id, creator, ask_type, assignee, is_opened)
  WHERE status = 'open' AND tool IS NOT NULL;
CREATE INDEX hold_open_assignee ON hold (workspace, assignee, ends_at, id) WHERE status = 'open' AND assignee IS NOT NULL;
