-- What lists of open holds are sorted and filtered by. Only open holds are listed this way, so a settled one costs
-- nothing here.
ALTER TABLE hold ADD COLUMN ends_at INTEGER NOT NULL DEFAULT 9007199254740991;
ALTER TABLE hold ADD COLUMN tool TEXT;
ALTER TABLE hold ADD COLUMN ask_type TEXT;
ALTER TABLE hold ADD COLUMN assignee TEXT;
ALTER TABLE hold ADD COLUMN is_opened INTEGER NOT NULL DEFAULT 0;
UPDATE hold SET
  ends_at = min(coalesce(body ->> '$.expiresAt', 9007199254740991), coalesce(body ->> '$.deadlineAt', 9007199254740991)),
  tool = CASE WHEN json_type(body, '$.ask.context.tool') = 'text' THEN nullif(substr(body ->> '$.ask.context.tool', 1, 200), '') END,
  ask_type = body ->> '$.ask.type',
  is_opened = CASE WHEN body ->> '$.openedAt' IS NULL THEN 0 ELSE 1 END
WHERE status = 'open';
CREATE INDEX hold_urgency ON hold (workspace, ends_at, id, creator, tool, ask_type, assignee, is_opened)
  WHERE status = 'open';
CREATE INDEX hold_open_tool ON hold (workspace, tool, ends_at, id, creator, ask_type, assignee, is_opened)
  WHERE status = 'open' AND tool IS NOT NULL;
CREATE INDEX hold_open_assignee ON hold (workspace, assignee, ends_at, id) WHERE status = 'open' AND assignee IS NOT NULL;
