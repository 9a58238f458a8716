entity.workspace text COLLATE "C" NOT NULL
entity.kind text COLLATE "C" NOT NULL
entity.id text COLLATE "C" NOT NULL
entity.version bigint NOT NULL
entity.seq bigint NOT NULL
entity.head text NOT NULL
entity.body text NOT NULL
entity_index.workspace text COLLATE "C" NOT NULL
entity_index.kind text COLLATE "C" NOT NULL
entity_index.id text COLLATE "C" NOT NULL
entity_index.name text COLLATE "C" NOT NULL
entity_index.value text COLLATE "C" NOT NULL
event.position bigint NOT NULL
event.workspace text COLLATE "C" NOT NULL
event.stream text COLLATE "C" NOT NULL
event.seq bigint NOT NULL
event.type text COLLATE "C" NOT NULL
event.at bigint NOT NULL
event.actor text COLLATE "C" NOT NULL
event.audience text COLLATE "C"
event.data text NOT NULL
event.previous text NOT NULL
event.hash text NOT NULL
file_part.file_id text COLLATE "C" NOT NULL
file_part.part bigint NOT NULL
file_part.is_last boolean NOT NULL
file_part.content bytea NOT NULL
hold.workspace text COLLATE "C" NOT NULL
hold.id text COLLATE "C" NOT NULL
hold.version bigint NOT NULL
hold.seq bigint NOT NULL
hold.head text NOT NULL
hold.status text COLLATE "C" NOT NULL
hold.creator text COLLATE "C" NOT NULL
hold.created_at bigint
hold.thread text COLLATE "C"
hold.intent text COLLATE "C"
hold.group_id text COLLATE "C"
hold.previous text COLLATE "C"
hold.body text NOT NULL
hold.ends_at bigint NOT NULL
hold.tool text COLLATE "C"
hold.ask_type text COLLATE "C"
hold.assignee text COLLATE "C"
hold.is_opened bigint NOT NULL
migration.number integer NOT NULL
outbox.workspace text COLLATE "C" NOT NULL
outbox.id text COLLATE "C" NOT NULL
outbox.kind text NOT NULL
outbox.endpoint text COLLATE "C" NOT NULL
outbox.hold_id text COLLATE "C"
outbox.event_stream text COLLATE "C" NOT NULL
outbox.event_seq bigint NOT NULL
outbox.event_type text COLLATE "C" NOT NULL
outbox.detail text NOT NULL
outbox.state text NOT NULL
outbox.attempts text NOT NULL
outbox.created_at bigint NOT NULL
outbox.due_at bigint
outbox.claim bigint NOT NULL
outbox.lane text COLLATE "C" NOT NULL
spending.name text COLLATE "C" NOT NULL
spending.spent bigint NOT NULL
spending.ends_at bigint NOT NULL
timer.workspace text COLLATE "C" NOT NULL
timer.kind text COLLATE "C" NOT NULL
timer.id text COLLATE "C" NOT NULL
timer.due_at bigint NOT NULL
timer.ready_at bigint NOT NULL

CREATE UNIQUE INDEX entity_index_pkey ON holdpoint.entity_index USING btree (kind, id, workspace, name)
CREATE INDEX entity_index_value ON holdpoint.entity_index USING btree (workspace, kind, name, value, id)
CREATE INDEX entity_listed ON holdpoint.entity USING btree (workspace, kind, id) WHERE (kind <> 'link'::text)
CREATE UNIQUE INDEX entity_pkey ON holdpoint.entity USING btree (kind, id, workspace)
CREATE UNIQUE INDEX event_pkey ON holdpoint.event USING btree ("position")
CREATE UNIQUE INDEX event_workspace_stream_seq_key ON holdpoint.event USING btree (workspace, stream, seq)
CREATE INDEX file_part_last ON holdpoint.file_part USING btree (file_id) WHERE is_last
CREATE UNIQUE INDEX file_part_pkey ON holdpoint.file_part USING btree (file_id, part)
CREATE INDEX hold_creator_status ON holdpoint.hold USING btree (workspace, creator, status, id)
CREATE INDEX hold_group ON holdpoint.hold USING btree (workspace, group_id, id) WHERE (group_id IS NOT NULL)
CREATE INDEX hold_intent ON holdpoint.hold USING btree (workspace, intent, id) WHERE (intent IS NOT NULL)
CREATE INDEX hold_open_assignee ON holdpoint.hold USING btree (workspace, assignee, ends_at, id) WHERE ((status = 'open'::text) AND (assignee IS NOT NULL))
CREATE INDEX hold_open_tool ON holdpoint.hold USING btree (workspace, tool, ends_at, id, creator, ask_type, assignee, is_opened) WHERE ((status = 'open'::text) AND (tool IS NOT NULL))
CREATE UNIQUE INDEX hold_pkey ON holdpoint.hold USING btree (id, workspace)
CREATE INDEX hold_previous ON holdpoint.hold USING btree (workspace, previous, id) WHERE (previous IS NOT NULL)
CREATE INDEX hold_status ON holdpoint.hold USING btree (workspace, status, id)
CREATE INDEX hold_thread ON holdpoint.hold USING btree (workspace, thread, id) WHERE (thread IS NOT NULL)
CREATE INDEX hold_urgency ON holdpoint.hold USING btree (workspace, ends_at, id, creator, tool, ask_type, assignee, is_opened) WHERE (status = 'open'::text)
CREATE UNIQUE INDEX migration_pkey ON holdpoint.migration USING btree (number)
CREATE INDEX outbox_due ON holdpoint.outbox USING btree (due_at) WHERE (state = 'waiting'::text)
CREATE INDEX outbox_hold ON holdpoint.outbox USING btree (workspace, hold_id, id) WHERE (hold_id IS NOT NULL)
CREATE INDEX outbox_lane ON holdpoint.outbox USING btree (workspace, lane, due_at) WHERE (state = 'waiting'::text)
CREATE UNIQUE INDEX outbox_pkey ON holdpoint.outbox USING btree (workspace, id)
CREATE INDEX outbox_settled ON holdpoint.outbox USING btree (created_at, workspace, id) WHERE (state <> 'waiting'::text)
CREATE INDEX outbox_trouble ON holdpoint.outbox USING btree (workspace, state, id) WHERE ((state = 'failed'::text) OR (state = 'no_channel'::text))
CREATE INDEX spending_end ON holdpoint.spending USING btree (ends_at)
CREATE UNIQUE INDEX spending_pkey ON holdpoint.spending USING btree (name)
CREATE UNIQUE INDEX timer_pkey ON holdpoint.timer USING btree (workspace, kind, id)
CREATE INDEX timer_ready ON holdpoint.timer USING btree (ready_at)

CREATE OR REPLACE FUNCTION holdpoint.refuse_put(kind text, workspace text, id text)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
BEGIN
  RAISE EXCEPTION 'version conflict' USING ERRCODE = 'HP001', DETAIL = json_build_array(kind, workspace, id)::text;
END
$function$

