-- Text is compared by bytes, so that ids sort as everywhere else in Holdpoint. Bodies are text, not jsonb: what was
-- written comes back byte for byte, and JSON may hold what jsonb refuses.
CREATE TABLE hold (
  workspace text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  version bigint NOT NULL,
  seq bigint NOT NULL,
  head text NOT NULL,
  status text COLLATE "C" NOT NULL,
  creator text COLLATE "C" NOT NULL,
  created_at bigint,
  thread text COLLATE "C",
  intent text COLLATE "C",
  group_id text COLLATE "C",
  previous text COLLATE "C",
  body text NOT NULL,
  PRIMARY KEY (id, workspace)
);

-- These two also serve the lists of a workspace and of a creator, by merging the few statuses.
CREATE INDEX hold_status ON hold (workspace, status, id);
CREATE INDEX hold_creator_status ON hold (workspace, creator, status, id);
CREATE INDEX hold_thread ON hold (workspace, thread, id) WHERE thread IS NOT NULL;
CREATE INDEX hold_intent ON hold (workspace, intent, id) WHERE intent IS NOT NULL;
CREATE INDEX hold_group ON hold (workspace, group_id, id) WHERE group_id IS NOT NULL;
CREATE INDEX hold_previous ON hold (workspace, previous, id) WHERE previous IS NOT NULL;

-- All other kinds.
CREATE TABLE entity (
  workspace text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  version bigint NOT NULL,
  seq bigint NOT NULL,
  head text NOT NULL,
  body text NOT NULL,
  PRIMARY KEY (kind, id, workspace)
);

CREATE INDEX entity_list ON entity (workspace, kind, id);

CREATE TABLE entity_index (
  workspace text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  value text COLLATE "C" NOT NULL,
  PRIMARY KEY (kind, id, workspace, name)
);

CREATE INDEX entity_index_value ON entity_index (workspace, kind, name, value, id);

CREATE TABLE event (
  position bigint PRIMARY KEY,
  workspace text COLLATE "C" NOT NULL,
  stream text COLLATE "C" NOT NULL,
  seq bigint NOT NULL,
  type text COLLATE "C" NOT NULL,
  at bigint NOT NULL,
  actor text COLLATE "C" NOT NULL,
  audience text COLLATE "C",
  data text NOT NULL,
  previous text NOT NULL,
  hash text NOT NULL,
  UNIQUE (workspace, stream, seq)
);

CREATE TABLE timer (
  workspace text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  due_at bigint NOT NULL,
  -- When a server may take it: once due, and not while another server has just taken it.
  ready_at bigint NOT NULL,
  PRIMARY KEY (workspace, kind, id)
);

CREATE INDEX timer_ready ON timer (ready_at);

CREATE TABLE outbox (
  workspace text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  kind text NOT NULL,
  endpoint text COLLATE "C" NOT NULL,
  hold_id text COLLATE "C",
  event_stream text COLLATE "C" NOT NULL,
  event_seq bigint NOT NULL,
  event_type text COLLATE "C" NOT NULL,
  detail text NOT NULL,
  state text NOT NULL,
  attempts text NOT NULL,
  created_at bigint NOT NULL,
  due_at bigint,
  claim bigint NOT NULL,
  PRIMARY KEY (workspace, id)
);

CREATE INDEX outbox_due ON outbox (due_at) WHERE state = 'waiting';
CREATE INDEX outbox_hold ON outbox (workspace, hold_id, id) WHERE hold_id IS NOT NULL;
-- Sent messages, nearly all of them, cost nothing here.
CREATE INDEX outbox_trouble ON outbox (workspace, state, id) WHERE state = 'failed' OR state = 'no_channel';

-- A put that found another version than it expected fails inside the database: the whole commit is sent at once, and
-- must not be through before anybody has looked.
CREATE FUNCTION refuse_put(kind text, workspace text, id text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'version conflict' USING ERRCODE = 'HP001', DETAIL = json_build_array(kind, workspace, id)::text;
END
$$;
