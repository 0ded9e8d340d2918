-- The event of a hook that was created with the member `event`, which clients of one event read back.
ALTER TABLE hooks ADD COLUMN single_event TEXT;
