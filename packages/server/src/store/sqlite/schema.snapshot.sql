CREATE TABLE entity (
  workspace TEXT NOT NULL,
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  version INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  head TEXT NOT NULL,
  -- The entries of entity_index, as written: what a later put has to take out.
  indexed TEXT,
  body TEXT NOT NULL,
  PRIMARY KEY (kind, id, workspace)
) STRICT, WITHOUT ROWID;

CREATE TABLE entity_index (
  workspace TEXT NOT NULL,
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  id TEXT NOT NULL,
  PRIMARY KEY (workspace, kind, name, value, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE event (
  position INTEGER PRIMARY KEY AUTOINCREMENT,
  workspace TEXT NOT NULL,
  stream TEXT NOT NULL,
  seq INTEGER NOT NULL,
  type TEXT NOT NULL,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  audience TEXT,
  data TEXT NOT NULL,
  previous TEXT NOT NULL,
  hash TEXT NOT NULL,
  UNIQUE (workspace, stream, seq)
) STRICT;

CREATE TABLE hold (
  workspace TEXT NOT NULL,
  id TEXT NOT NULL,
  version INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  head TEXT NOT NULL,
  status TEXT NOT NULL,
  creator TEXT NOT NULL,
  created_at INTEGER,
  thread TEXT,
  intent TEXT,
  group_id TEXT,
  previous TEXT,
  body TEXT NOT NULL, ends_at INTEGER NOT NULL DEFAULT 9007199254740991, tool TEXT, ask_type TEXT, assignee TEXT, is_opened INTEGER NOT NULL DEFAULT 0,
  UNIQUE (id, workspace)
) STRICT;

CREATE INDEX hold_creator_status ON hold (workspace, creator, status, id);

CREATE INDEX hold_group ON hold (workspace, group_id, id) WHERE group_id IS NOT NULL;

CREATE INDEX hold_intent ON hold (workspace, intent, id) WHERE intent IS NOT NULL;

CREATE INDEX hold_open_assignee ON hold (workspace, assignee, ends_at, id) WHERE status = 'open' AND assignee IS NOT NULL;

CREATE INDEX hold_open_tool ON hold (workspace, tool, ends_at, id, creator, ask_type, assignee, is_opened)
  WHERE status = 'open' AND tool IS NOT NULL;

CREATE INDEX hold_previous ON hold (workspace, previous, id) WHERE previous IS NOT NULL;

CREATE INDEX hold_status ON hold (workspace, status, id);

CREATE INDEX hold_thread ON hold (workspace, thread, id) WHERE thread IS NOT NULL;

CREATE INDEX hold_urgency ON hold (workspace, ends_at, id, creator, tool, ask_type, assignee, is_opened)
  WHERE status = 'open';

CREATE TABLE outbox (
  workspace TEXT NOT NULL,
  id TEXT NOT NULL,
  kind TEXT NOT NULL,
  endpoint TEXT NOT NULL,
  hold_id TEXT,
  event_stream TEXT NOT NULL,
  event_seq INTEGER NOT NULL,
  event_type TEXT NOT NULL,
  detail TEXT NOT NULL,
  state TEXT NOT NULL,
  attempts TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  due_at INTEGER,
  claim INTEGER NOT NULL, lane TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (workspace, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX outbox_due ON outbox (due_at) WHERE state = 'waiting';

CREATE INDEX outbox_hold ON outbox (workspace, hold_id, id) WHERE hold_id IS NOT NULL;

CREATE INDEX outbox_lane ON outbox (workspace, lane, due_at) WHERE state = 'waiting';

CREATE INDEX outbox_settled ON outbox (created_at, workspace, id) WHERE state <> 'waiting';

CREATE INDEX outbox_trouble ON outbox (workspace, state, id) WHERE state = 'failed' OR state = 'no_channel';

CREATE TABLE timer (
  workspace TEXT NOT NULL,
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  due_at INTEGER NOT NULL, rests_until INTEGER,
  PRIMARY KEY (workspace, kind, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX timer_ready ON timer (coalesce(rests_until, due_at), workspace, kind, id);
