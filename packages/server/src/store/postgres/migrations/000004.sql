-- What was spent of budgets that all servers share. Not worth a disk write: after a crash budgets begin anew.
CREATE UNLOGGED TABLE spending (
  name text COLLATE "C" NOT NULL,
  spent bigint NOT NULL,
  ends_at bigint NOT NULL,
  PRIMARY KEY (name)
);

CREATE INDEX spending_end ON spending (ends_at);
