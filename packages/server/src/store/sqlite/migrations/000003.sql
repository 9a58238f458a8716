-- breaking: links are kept under their hold and their hash, no longer under the hash alone
UPDATE entity SET id = json_extract(body, '$.holdId') || '.' || id, indexed = NULL WHERE kind = 'link';
DELETE FROM entity_index WHERE kind = 'link';
