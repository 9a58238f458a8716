-- Every placed hold has a link, and links are listed by their hold, which is the beginning of their id: the primary key finds
-- them. Without links this index costs a placed hold nothing. A server of the version before finds what it lists by the
-- primary key, in all workspaces at once.
-- DROP comes first, because it needs the strongest lock on the table. The other way round, the migration would raise its lock while
-- servers of the version before hold theirs, and PostgreSQL would end the deadlock by ending the migration.
DROP INDEX entity_list;
CREATE INDEX entity_listed ON entity (workspace, kind, id) WHERE kind <> 'link';
