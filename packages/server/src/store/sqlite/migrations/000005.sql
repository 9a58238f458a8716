-- A timer whose command nothing came of rests: it is not looked at before this moment.
ALTER TABLE timer ADD COLUMN rests_until INTEGER;
DROP INDEX timer_due;
CREATE INDEX timer_ready ON timer (coalesce(rests_until, due_at), workspace, kind, id);
