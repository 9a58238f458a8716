-- breaking: links are kept under their hold and their hash, no longer under the hash alone; servers of the version before do
-- not find those that newer ones make
UPDATE entity SET id = (body::json ->> 'holdId') || '.' || id WHERE kind = 'link';
DELETE FROM entity_index WHERE kind = 'link';
