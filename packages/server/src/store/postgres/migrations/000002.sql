-- Files that people upload, in parts, so that any server can serve them and none must hold one whole. They have their last
-- part once they are whole.
CREATE TABLE file_part (
  file_id text COLLATE "C" NOT NULL,
  part bigint NOT NULL,
  is_last boolean NOT NULL,
  content bytea NOT NULL,
  PRIMARY KEY (file_id, part)
);

CREATE INDEX file_part_last ON file_part (file_id) WHERE is_last;
