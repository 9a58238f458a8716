-- breaking: links are kept under their hold and their hash, no longer under the hash alone; servers of the version before do
-- not find those that newer ones make
UPDATE entity SET id = substring(body FROM '"holdId":"([^"]+)"') || '.' || id WHERE kind = 'link';
DELETE FROM entity_index WHERE kind = 'link';

-- A server of the version before that still runs is refused, loudly: a link of its making would open nothing, and erasing its
-- hold would not find it.
ALTER TABLE entity ADD CONSTRAINT link_under_hold CHECK (kind <> 'link' OR strpos(id, '.') > 0);
